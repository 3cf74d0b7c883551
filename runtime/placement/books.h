/*===- books.h - how much of each tier is used --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: capacities of tiers, what lies in them, and what each object is
 * charged for. Ranks of a node have one account of the fast tier
 * (ranks/share.h). Leaves out: where pages lie in truth (look.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BOOKS_H
#define EVENKEEL_RUNTIME_BOOKS_H

#include "core/stats.h"
#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

extern ek_tier_use ek_use[]; /* of each tier */

/* Capacities of the tiers: the provider's, the first cut to the plan's. */
void ek_place_start(void);
/* Bytes that may lie in a tier; EK_UNLIMITED (provider.h): no limit known. */
uint64_t ek_place_capacity(unsigned tier);
/* Who the ranks of this node are is known now, or was never told. */
void ek_place_ranks(void);

/* --- all of it under the lock (in_force.h) ---------------------------------
 */

/* Takes up to \p bytes of a tier, whole pages; returns how many. What is taken
 * is charged or given back. */
size_t ek_place_take(unsigned tier, size_t bytes);
void ek_place_give(unsigned tier, size_t bytes);
/* Also beyond the tier's size. Returns \p bytes. */
size_t ek_place_take_anyway(unsigned tier, size_t bytes);
/* The object is charged for pages of a tier. */
void ek_place_charge(ek_object *o, unsigned tier, size_t pages);
/* So many of the bytes taken were placed. */
void ek_place_count(unsigned tier, uint64_t bytes);
/* Whole pages of a tier that nobody has. */
uint64_t ek_place_left(unsigned tier);
/* \p pages of \p o, taken before, lie in \p to now. Those that were charged
 * there already (never touched, they cannot be told apart) are given back.
 * Returns the others. */
size_t ek_place_arrived(ek_object *o, unsigned to, size_t pages);

#ifdef __cplusplus
}
#endif
#endif
