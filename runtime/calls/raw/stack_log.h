/*===- stack_log.h - whole call stacks of placed objects ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_STACK_LOG of libevenkeel-preload, for `evenkeel export`.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STACK_LOG_H
#define EVENKEEL_RUNTIME_STACK_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Writes the stack of the call that returns through \p slot, and allocates
 * \p n bytes of \p site in \p context, unless it was written before. Does
 * nothing without EVENKEEL_STACK_LOG. Thread-safe. */
void ek_stack_log(uint64_t site, uint64_t context, size_t n,
                  const uintptr_t *slot);

#endif
