/*===- groups.h - objects by what a byte of them is worth ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: each entry of a plan has a group of objects (plan.h), and so have
 * those that no entry names. A tree of bits says which groups have objects in
 * a list, so that a pass over them costs what there is to do, however many
 * entries the plan has.
 * Leaves out: when an object is in which list, and why it moves (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_GROUPS_H
#define EVENKEEL_RUNTIME_GROUPS_H

#include "objects/object.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of this under the lock of in_force.h. */

#define EK_NO_GROUP SIZE_MAX

/* The groups of \p plan (may be NULL) beside our own, those of older plans too
 * where \p keep says so: old entries may still have objects. They come in an
 * array that ek_groups_memory has made without the lock; NULL: our own alone,
 * for no plan. Returns the old one, for free(). */
void *ek_groups_memory(const ek_plan *plan, bool keep);
void *ek_groups_take(ek_plan *plan, bool keep, void *memory);

/* Worth of groups may have changed: those worth most come first again. */
void ek_groups_order(void);

ek_group *ek_group_of(const ek_object *o);
/* Puts the object behind all others of the list, or into none. */
void ek_group_list(ek_object *o, ek_list list);

/* Whether any group has objects in that list. */
bool ek_groups_any(ek_list list);
/* The first group from \p from on, or the last one before \p before, that has
 * objects in the list; EK_NO_GROUP: none. */
size_t ek_groups_from(ek_list list, size_t from);
size_t ek_groups_before(ek_list list, size_t before);
ek_group *ek_groups_at(size_t group);

/* Puts the object into the list that its state asks for, behind others. */
void ek_place_list(ek_object *o);

#ifdef __cplusplus
}
#endif
#endif
