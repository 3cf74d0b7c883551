/*===- chain.h - contexts by number -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a program has few contexts (format/ek_context.h) and many objects,
 * whose records keep four bytes for theirs.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_CHAIN_H
#define EVENKEEL_RUNTIME_CHAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a context, the same each time; 0: of 0, or there are too many.
 * One thread at a time. */
uint32_t ek_chain_number(uint64_t context);
/* The context of a number that was given out. Any thread. */
uint64_t ek_chain_context(uint32_t number);

#ifdef __cplusplus
}
#endif
#endif
