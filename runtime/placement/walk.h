/*===- walk.h - which pages of an object belong where -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a chunk's fast part is its first part, rounded to pages so that the
 * error never exceeds half a page over the whole object (as in Bresenham 1965:
 * a page is fast when the line of asked-for bytes is half a page ahead).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_WALK_H
#define EVENKEEL_RUNTIME_WALK_H

#include "objects/record.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* The whole pages of an object: [*from, *to). */
void ek_place_pages(const ek_object *o, uintptr_t *from, uintptr_t *to);

#ifdef __cplusplus
}
#endif
#endif
