/*===- books.h - accounting of the tiers' memory ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the capacity and use of each tier, and what each object is charged
 * for. Ranks of a node share one account of the fast tier (ranks/share.h).
 * Not here: where pages really lie (look.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BOOKS_H
#define EVENKEEL_RUNTIME_BOOKS_H

#include "core/stats.h"
#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

extern ek_tier_use ek_use[]; /* indexed by tier */

/* Sets the capacities: the provider's; tier 0 is limited to the plan's. */
void ek_place_start(void);
/* Capacity of a tier in bytes; EK_UNLIMITED (provider.h): no known limit. */
uint64_t ek_place_capacity(unsigned tier);
/* The launcher has told the ranks of this node, or it never will. */
void ek_place_ranks(void);

/* --- all under the lock of in_force.h ----------------------------------------
 */

/* Takes up to \p bytes of a tier, in whole pages, and returns how many bytes.
 * The caller charges them to an object or gives them back. */
size_t ek_place_take(unsigned tier, size_t bytes);
void ek_place_give(unsigned tier, size_t bytes);
/* The same without regard to the capacity. Returns \p bytes. */
size_t ek_place_take_anyway(unsigned tier, size_t bytes);
/* Charges pages of a tier to the object. */
void ek_place_charge(ek_object *o, unsigned tier, size_t pages);
/* Records that \p bytes of those taken were placed. */
void ek_place_count(unsigned tier, uint64_t bytes);
/* Free bytes of a tier, in whole pages. */
uint64_t ek_place_left(unsigned tier);
/* Records that \p pages of \p o, taken before, now lie in \p to. Pages that
 * were charged to \p to already (pages never touched cannot be told apart) are
 * given back. Returns the number of the others. */
size_t ek_place_arrived(ek_object *o, unsigned to, size_t pages);

#ifdef __cplusplus
}
#endif
#endif
