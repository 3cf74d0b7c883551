/*===- place.h - from a plan's shares to pages in tiers -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how the pages of a new object come into tiers, and how they leave.
 * Leaves out: which of them belong where (walk.h, wish.h), the room there is
 * (books.h), and when they move later (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACE_H
#define EVENKEEL_RUNTIME_PLACE_H

#include "objects/object.h"
#include "placement/books.h"
#include "placement/in_force.h"
#include "placement/kept.h"
#include "placement/walk.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* From here on nothing is kept, or reserved (pages.h). Any thread. */
void ek_place_exact(void);

#ifdef __cplusplus
}
#endif
#endif
