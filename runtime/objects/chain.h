/*===- chain.h - contexts by number -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a program has few contexts (format/ek_context.h) and many objects. So
 * an object's record holds a 4-byte number instead of the context.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_CHAIN_H
#define EVENKEEL_RUNTIME_CHAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a context, always the same; 0 for context 0, or if there are
 * too many contexts. Callers serialize. */
uint32_t ek_chain_number(uint64_t context);
/* The context with number \p number; 0 for 0. Thread-safe. */
uint64_t ek_chain_context(uint32_t number);

#ifdef __cplusplus
}
#endif
#endif
