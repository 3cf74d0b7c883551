/*===- place.h - from a plan's shares to pages in tiers -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which pages of an object belong into the fast tier (the walk), how
 * much of each tier is used and by how much an object fell short. Leaves out:
 * how pages get there (provider.h) and when they move later (migrate.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACE_H
#define EVENKEEL_RUNTIME_PLACE_H

#include "core/stats.h"
#include "objects/object.h"
#include "placement/kept.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

extern ek_plan *ek_plan_now; /* NULL: none */
/* For threads other than the one that changes it (migrate.c). */
#define ek_plan_of_now() __atomic_load_n(&ek_plan_now, __ATOMIC_ACQUIRE)
/* From here on this is the plan; objects of an older one are gone. */
void ek_place_plan(ek_plan *plan);

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
  uintptr_t base, page, end; /* base may lie inside a page */
  double given;              /* fast bytes granted so far */
} ek_walk;
void ek_walk_start(ek_walk *w, const ek_object *o);
/* Next whole page; *fast: it is asked for in the fast tier. False: the end. */
bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast);
/* Whether a whole page is asked for in the fast tier, by itself; pages may be
 * left out, in order, and ek_walk_next is not to be called as well. */
bool ek_walk_is_fast(ek_walk *w, uintptr_t page);

/* Who the ranks of this node are is known now, or was never told: then those
 * that are to plan together do not, which is counted. */
void ek_place_ranks(void);
/* The launch has \p ranks ranks; 0: not known. A plan for another number of
 * them is not carried out from here on, which is said once. */
void ek_place_launched(uint32_t ranks);

/* Finds the plan's entry for a new object (percent as in EK_FAST) and places
 * its pages; to be called before the program touches them. */
void ek_place(ek_object *o, unsigned percent);
/* The same for an object of ours, which gets its extent here, at a multiple of
 * \p align; *zeroed: it reads as zero. False: no address space. */
bool ek_place_own(ek_object *o, unsigned percent, size_t align, bool *zeroed);
/* Another extent for an object of ours that was unplaced. */
bool ek_place_again(ek_object *o, size_t bytes);
/* Whether a change of size may happen in place: chunks stretch, so with several
 * tiers every page would have another wish; a new extent is placed instead. */
bool ek_place_can_resize(const ek_object *o);
/* The object's size changed in place. */
void ek_place_resized(ek_object *o);
/* The object was unplaced and lies elsewhere: same wishes, new pages. */
void ek_place_moved(ek_object *o);
/* Gives the object's share of the tiers back, before its record is deleted.
 * True if its pages were given to the provider, which then has to release them.
 */
bool ek_unplace(ek_object *o);
/* The same for an object of ours; its extent is to be left (below) once nobody
 * reads it any more. */
ek_left ek_unplace_own(ek_object *o);
/* Keeps the extent for the next object like it, or gives it back. */
void ek_place_leave(const ek_left *left);

extern ek_tier_use ek_use[]; /* of each tier */

/* --- for migrate.c, all of it under the lock ------------------------------ */

/* Takes up to \p bytes of a tier, whole pages; returns how many. What is taken
 * is charged or given back. */
size_t ek_place_take(unsigned tier, size_t bytes);
void ek_place_give(unsigned tier, size_t bytes);
/* Also beyond the tier's size. Returns \p bytes. */
size_t ek_place_take_anyway(unsigned tier, size_t bytes);
/* \p pages of \p o, taken before, lie in \p to now. Those that were charged
 * there already (never touched, they cannot be told apart) are given back.
 * Returns the others. */
size_t ek_place_arrived(ek_object *o, unsigned to, size_t pages);
/* Puts the object into the list that its state asks for, behind others. */
void ek_place_list(ek_object *o);
/* Takes the groups of another plan in beside those there are; without the lock.
 * False: no memory. */
bool ek_place_add_groups(ek_plan *plan);
/* The object is wanted where \p plan says from now on, also under the lock of
 * objects. */
void ek_place_follow(ek_object *o, const ek_plan *plan);
/* Whether anything waits for room in the fast tier; takes the lock. */
bool ek_place_short(void);
/* The whole pages of an object: [*from, *to). */
void ek_place_pages(const ek_object *o, uintptr_t *from, uintptr_t *to);

void ek_place_lock(void);
void ek_place_unlock(void);
/* From here on nothing is kept, or reserved (pages.h). Any thread. */
void ek_place_exact(void);
/* With the lock: returns once no page is on the move. */
void ek_place_fork_wait(void);

#ifdef __cplusplus
}
#endif
#endif
