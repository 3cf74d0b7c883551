/*===- groups.h - objects sorted by their gain per byte -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: each entry of a plan has a group of objects (plan.h), and objects
 * without an entry have groups, too. A tree of bits shows which groups have
 * objects in a list. So a pass takes time in proportion to the objects it has
 * to move, however many entries the plan has.
 * Not here: which list an object belongs to, and why it moves (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_GROUPS_H
#define EVENKEEL_RUNTIME_GROUPS_H

#include "objects/object.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All functions are called under the lock of in_force.h. */

#define EK_NO_GROUP SIZE_MAX

/* Installs the groups of \p plan (may be NULL) beside our own, and beside those
 * of older plans if \p keep: their entries may still have objects.
 * ek_groups_memory allocates the array without the lock; \p memory may be NULL
 * if there is no plan. ek_groups_take returns the old array, which the caller
 * passes to free(). */
void *ek_groups_memory(const ek_plan *plan, bool keep);
void *ek_groups_take(ek_plan *plan, bool keep, void *memory);

/* Sorts the groups by descending worth, after their worth has changed. */
void ek_groups_order(void);

ek_group *ek_group_of(const ek_object *o);
/* Appends the object to a list of its group, or removes it from its list. */
void ek_group_list(ek_object *o, ek_list in);

/* Whether any group has objects in the list. */
bool ek_groups_any(ek_list list);
/* The first group at or after \p from, or the last one before \p before, that
 * has objects in the list; EK_NO_GROUP: none. */
size_t ek_groups_from(ek_list list, size_t from);
size_t ek_groups_before(ek_list list, size_t before);
ek_group *ek_groups_at(size_t group);

/* Whether it waits for a pass: for room, or to be looked at. */
bool ek_place_waits(const ek_object *o);
/* Appends the object to the list that its state calls for. */
void ek_place_list(ek_object *o);

#ifdef __cplusplus
}
#endif
#endif
