/*===- tiers.h - fast and slow memory of a watched program --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: fast and slow memory as sets of NUMA nodes, or as a word only
 * (emulated); mbind(2) and move_pages(2) without the C library. Policies
 * prefer a tier's nodes: where they are full, the kernel takes others.
 * Not here: what lies where (places.h), and how much there is (account.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_TIERS_H
#define EVENKEEL_RUNTIME_TOUCHES_TIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* \p fast and \p slow have a bit for each node; both 0: emulated. False: this
 * kernel or container does not permit the calls. */
bool ek_tiers_start(uint64_t fast, uint64_t slow, uintptr_t page);
bool ek_tiers_emulated(void);
/* Pages of [from, to) that are not touched yet will come from that tier. */
void ek_tiers_place(uintptr_t from, uintptr_t to, bool fast);
/* Ends the policy of [from, to): neighbours can become one mapping again. */
void ek_tiers_release(uintptr_t from, uintptr_t to);

typedef struct ek_tiers_moved {
  uint64_t moved, refused; /* pages; untouched ones count as neither */
} ek_tiers_moved;
/* Moves the pages of [from, to), which are at most EK_TIERS_BATCH. For the
 * sampler's thread. */
#define EK_TIERS_BATCH 512
ek_tiers_moved ek_tiers_move(uintptr_t from, uintptr_t to, bool fast);
/* The number of pages of such a range that lie in fast memory. */
uint64_t ek_tiers_fast_pages(uintptr_t from, uintptr_t to);

#ifdef __cplusplus
}
#endif
#endif
