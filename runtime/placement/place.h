/*===- place.h - from a plan's shares to pages in tiers -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how the pages of a new object get into tiers, and how they leave.
 * Not here: which pages belong where (walk.h, wish.h), the room in each tier
 * (books.h), and later moves (moves/).
 * All functions take the lock of in_force.h and are thread-safe.
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

/* Finds the plan's entry for a new object (\p percent as in EK_FAST) and places
 * its pages; called before the program touches them. */
void ek_place(ek_object *o, unsigned percent);
/* The same for an object in an extent of ours, which is allocated here, aligned
 * to \p align. *zeroed: it reads as zero. Returns false if there is no address
 * space. */
bool ek_place_own(ek_object *o, unsigned percent, size_t align, bool *zeroed);
/* Allocates another extent for an unplaced object. Returns false, with the
 * object unchanged, if there is no address space. */
bool ek_place_again(ek_object *o, size_t bytes);
/* Whether the object may be resized in place. With several tiers it may not:
 * chunks stretch with the size, so every page may belong to another tier, and a
 * new extent is placed instead. */
bool ek_place_can_resize(const ek_object *o);
/* The used part of an arena's segment grows to \p bytes, whole granules.
 * Updates the map. */
void ek_place_grow(ek_object *o, size_t bytes);
/* The object's size changed in place. */
void ek_place_resized(ek_object *o);
/* Places the pages of an unplaced object at its new address, by its old
 * wishes. */
void ek_place_moved(ek_object *o);
/* Ends the object's charge to the tiers, before its record is deleted. Returns
 * true if the provider had placed its pages; the caller then releases them. */
bool ek_unplace(ek_object *o);
/* The same for an object in an extent of ours. The caller passes the result to
 * ek_place_leave once nobody reads the extent any more. */
ek_left ek_unplace_own(ek_object *o);
/* Retains the extent for the next object like it, or releases it. */
void ek_place_leave(const ek_left *left);

/* Switches to exact mode (pages.h) and releases all retained extents. */
void ek_place_exact(void);

#ifdef __cplusplus
}
#endif
#endif
