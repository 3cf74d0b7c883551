/*===- walk.h - which pages of an object belong where -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the first part of a chunk is fast. It is rounded to pages so that the
 * error never exceeds half a page over the whole object (as in Bresenham 1965:
 * a page is fast if the requested bytes are half a page ahead). An arena's
 * segment grows, and no page may change its tier then: so its chunks do not
 * stretch, and have one share.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_WALK_H
#define EVENKEEL_RUNTIME_WALK_H

#include "objects/record.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tiers an object asks for, page by page in ascending order. */
typedef struct ek_walk {
  const ek_plan_range *ranges;
  size_t range_count, range; /* ranges before `range` are passed */
  double prefix;             /* without ranges: this many bytes are fast */
  bool each; /* the prefix is that of every chunk, and chunks never stretch */
  double chunk;              /* bytes per chunk */
  double before;             /* fast bytes in the ranges passed */
  uintptr_t base, page, end; /* base may lie inside a page */
  double given;              /* fast bytes granted so far */
} ek_walk;
void ek_walk_start(ek_walk *w, const ek_object *o);
/* Returns the next whole page and whether it is wanted in the fast tier; false:
 * the end. */
bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast);
/* Passes the pages before \p page; right after the start. */
void ek_walk_skip(ek_walk *w, uintptr_t page);
/* About the number of pages wanted in the fast tier, in time by the number of
 * ranges: walking counts at most one more or less. */
size_t ek_walk_wished(const ek_object *o);
/* Whether the whole of \p page is wanted in the fast tier. Pages must ascend,
 * and may be skipped; not to be mixed with ek_walk_next. */
bool ek_walk_is_fast(ek_walk *w, uintptr_t page);

/* The whole pages of an object: [*from, *to). */
void ek_place_pages(const ek_object *o, uintptr_t *from, uintptr_t *to);

#ifdef __cplusplus
}
#endif
#endif
