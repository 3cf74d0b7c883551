/*===- place.h - from a plan's shares to pages in tiers -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which pages of an object belong into the fast tier (the walk), how
 *much of each tier is used and by how much an object fell short, and how to
 *catch up at a hook. Leaves out: how pages get there (provider.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACE_H
#define EVENKEEL_RUNTIME_PLACE_H

#include "object.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

extern ek_plan *ek_plan_now; /* NULL: none */

/* Capacities of the tiers: the provider's, the first cut to the plan's. */
void ek_place_start(void);

/* Bytes that may lie in a tier; EK_UNLIMITED (provider.h): no limit known. */
uint64_t ek_place_capacity(unsigned tier);

/* What an object asks for, page by page in order. */
typedef struct ek_walk {
  const ek_plan_range *ranges;
  size_t range_count, range; /* ranges before `range` lie below the position */
  double prefix;             /* bytes; without ranges: the first so many */
  double chunk;              /* bytes per chunk */
  double before;             /* fast bytes in ranges passed */
  uintptr_t base, page, end; /* base may lie inside a page (globals) */
  double given;              /* fast bytes granted so far */
} ek_walk;
void ek_walk_start(ek_walk *w, const ek_object *o);
/* Next whole page; *fast: it is asked for in the fast tier. False: the end. */
bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast);

/* Finds the plan's entry for a new object (percent as in EK_FAST; context as in
 * context.h, 0: none) and places its pages; to be called before the program
 * touches them. */
void ek_place(ek_object *o, unsigned percent, uint64_t context);
/* Whether a change of size may happen in place: chunks stretch, so with several
 * tiers every page would have another wish; a new extent is placed instead. */
bool ek_place_can_resize(const ek_object *o);
/* The object's size changed in place. */
void ek_place_resized(ek_object *o);
/* The object was unplaced and got a new extent: same wishes, new pages. */
void ek_place_moved(ek_object *o);
/* Gives the object's share of the tiers back, before its record is deleted.
 * True if its pages were given to the provider, which then has to release them.
 */
bool ek_unplace(ek_object *o);

/* Nonzero when a hook has something to do. */
extern int ek_place_pending;
/* Moves pages of objects that fell short, now that there may be room. */
void ek_place_catch_up(void);

typedef struct ek_tier_use {
  uint64_t placed, live, peak; /* bytes: ever, now, at most */
  uint64_t objects;            /* with a page in it when placed */
} ek_tier_use;
extern ek_tier_use ek_use[];

void ek_place_lock(void);
void ek_place_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
