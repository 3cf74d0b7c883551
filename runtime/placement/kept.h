/*===- kept.h - freed extents that wait for the next object -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: where there are several tiers, the pages of a freed object lie where
 * its plan wanted them. The next object of that size and wish takes them as
 * they are: no call of the system, no page fault. Kept extents count as used
 * memory of their tiers, EVENKEEL_RETAIN bytes in all; the longest unused make
 * room for others, and every kept one for an object that wants its memory.
 * Leaves out: one tier, where free extents are all alike (extent.h), and memory
 * that is not ours.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_KEPT_H
#define EVENKEEL_RUNTIME_KEPT_H

#include "objects/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ek_plan_range;

/* What decided about each page of an extent. Extents of equal layout are as
 * good as each other. */
typedef struct ek_layout {
  enum {
    EK_LAYOUT_NONE,   /* like no other: not kept */
    EK_LAYOUT_SYSTEM, /* first touch, by this thread or those it starts */
    EK_LAYOUT_FIRST,  /* first touch in our books, all of it in tier 0 */
    EK_LAYOUT_SLOW,
    EK_LAYOUT_FAST,
    EK_LAYOUT_PART, /* the first bytes of each, or of these ranges */
  } kind;
  size_t bytes; /* whole pages; of a part as asked for, which it depends on */
  const struct ek_plan_range *ranges;
  size_t range_count;
  double prefix;
  uint64_t thread; /* of the kind of the system */
} ek_layout;

/* An extent of ours that no object has any more. */
typedef struct ek_left {
  uintptr_t base;
  size_t bytes;
  ek_layout layout;
  uint32_t fast_pages, slow_pages;
  bool placed; /* the provider was asked to */
  bool unseen; /* as of objects */
} ek_left;

/* All of this under the lock of in_force.h. */

/* Takes a kept extent of that layout at a multiple of \p align. False: none. */
bool ek_kept_take(const ek_layout *layout, size_t align, ek_left *out);

/* Keeps \p left. When there is no room, *out is what has to be given back first
 * (then ask again), or \p left itself, which is not kept. */
typedef enum { EK_KEPT, EK_KEPT_AFTER, EK_NOT_KEPT } ek_kept_answer;
ek_kept_answer ek_kept_put(const ek_left *left, ek_left *out);

/* Gives the longest unused of those with pages in \p tier back until \p bytes
 * of it are free, or none is left. */
void ek_kept_make_room(unsigned tier, size_t bytes);
/* Gives all of them back. */
void ek_kept_drop_all(void);

/* Bytes of a tier in kept extents. */
uint64_t ek_kept_bytes(unsigned tier);

/* Gives an extent back to the system. With or without the lock. */
void ek_left_release(const ek_left *left);

#ifdef __cplusplus
}
#endif
#endif
