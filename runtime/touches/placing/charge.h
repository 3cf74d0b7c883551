/*===- charge.h - new blocks in fast and slow memory --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: where chunks of a block begin; and that a new block's chunks go to
 * fast memory in the order of addresses, while there is room.
 * Not here: chunks that move later (places.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_CHARGE_H
#define EVENKEEL_RUNTIME_TOUCHES_CHARGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a block knows of its memory. */
typedef struct ek_charge {
  uint64_t fast;     /* bytes that it took from the account */
  uintptr_t fast_to; /* chunks before it began in fast memory, */
  bool fast_last;    /* and so did the last chunk */
  bool found; /* its pages came from elsewhere, and lie where they were */
} ek_charge;

/* Whether memory is placed at all. */
extern bool ek_charge_on;
/* \p chunk 0: a block is one chunk. */
void ek_charge_start(uint64_t chunk, uintptr_t page);

/* The whole pages of a block; *from == *to: none. */
void ek_charge_pages(uintptr_t base, size_t bytes, uintptr_t *from,
                     uintptr_t *to);
/* The end of the chunk that begins at \p at, in a block that ends at \p to. */
uintptr_t ek_charge_border(uintptr_t at, uintptr_t to);

/* --- under the lock of blocks.h ----------------------------------------------
 */

/* A block was made. \p fast: it may lie in fast memory. */
void ek_charge_born(ek_charge *c, uintptr_t base, size_t bytes, bool fast);
/* The same for pages that were another block's, which had taken \p taken. */
void ek_charge_moved(ek_charge *c, uintptr_t base, size_t bytes,
                     uint64_t taken);
void ek_charge_gone(ek_charge *c, uintptr_t base, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
