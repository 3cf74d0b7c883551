/*===- places.h - chunks of blocks in fast and slow memory --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: for each chunk where it lies, where it shall lie, and how often it was
 * touched. A pass over the pages stands for as many samples as the policy would
 * have taken since the last pass, one each interval. The samples are spread
 * evenly over the touched pages: they tell that a page is used, not how often
 * it misses the caches. After them, chunks whose place has changed move one by
 * one, and no samples are taken meanwhile.
 * Everything here is for the sampler's thread.
 * Not here: the policies (chunks/ek_swaps.h), and new blocks (charge.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_PLACES_H
#define EVENKEEL_RUNTIME_TOUCHES_PLACES_H

#include "chunks/ek_swaps.h"
#include "format/ek_touches.h"
#include "touches/blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_places_options {
  bool stays; /* nothing moves, and the rest does not matter */
  enum ek_swap_rule rule;
  uint64_t interval_ns; /* between two samples */
  size_t window;        /* samples that count */
} ek_places_options;

/* Reserves the tables; false: no memory. */
bool ek_places_start(const ek_places_options *options, uintptr_t page);

/* Begins a pass over \p blocks, in the order of addresses: chunks of new blocks
 * come, those of others go. */
void ek_places_begin(const ek_block *blocks, size_t count);
/* Adds \p pages that were touched in the mapping [from, to). */
void ek_places_touched(uintptr_t from, uintptr_t to, uint64_t pages);
/* Decides where chunks shall lie, \p elapsed_ns after the last pass, and adds
 * up \p figures. */
void ek_places_decide(uint64_t elapsed_ns, ek_touch_moves *figures);

/* Whether a chunk can move. */
bool ek_places_pending(void);
/* How long moving the next chunk will take. */
uint64_t ek_places_next_ns(void);
/* Moves it, with \p spent() as the clock, unless \p stops(). */
void ek_places_move(ek_touch_moves *figures, uint64_t (*spent)(void),
                    bool (*stops)(void));
/* Tells what became of all chunks, at the process's end. */
void ek_places_tell(void);

/* A child of fork: pages that it writes to are copied to slow memory. */
void ek_places_forked(void);

#ifdef __cplusplus
}
#endif
#endif
