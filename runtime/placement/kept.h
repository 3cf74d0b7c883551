/*===- kept.h - retained extents for the next object --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: with several tiers, the pages of a freed object lie where its plan
 * wanted them. The next object of that size and wish gets them unchanged, which
 * saves system calls and page faults. Retained extents count as used memory of
 * their tiers, up to EVENKEEL_RETAIN bytes in total. The least recently used
 * ones make room for others, and any one for an object that needs its memory.
 * Not here: the single-tier case, where all free extents are alike (extent.h),
 * and memory outside the reserved range.
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

/* What decides about each page of an extent. Extents of equal layout are
 * interchangeable. */
typedef struct ek_layout {
  enum {
    EK_LAYOUT_NONE,   /* unique: not retained */
    EK_LAYOUT_SYSTEM, /* first touch by this thread or threads it starts */
    EK_LAYOUT_FIRST,  /* first touch in our accounts: all of it in tier 0 */
    EK_LAYOUT_SLOW,
    EK_LAYOUT_FAST,
    EK_LAYOUT_PART, /* the first bytes of the object, or of each range */
  } kind;
  size_t bytes; /* whole pages; EK_LAYOUT_PART: the exact size */
  const struct ek_plan_range *ranges;
  size_t range_count;
  double prefix;
  uint64_t thread; /* only for EK_LAYOUT_SYSTEM */
} ek_layout;

/* An extent of ours whose object was freed. */
typedef struct ek_left {
  uintptr_t base;
  size_t bytes;
  ek_layout layout;
  uint32_t fast_pages, slow_pages;
  bool placed; /* the provider has placed it */
  bool unseen; /* as in ek_object */
} ek_left;

/* Unless noted, functions are called under the lock of in_force.h. */

/* Takes a retained extent of that layout, aligned to \p align. Returns false if
 * there is none. */
bool ek_kept_take(const ek_layout *layout, size_t align, ek_left *out);

/* Retains \p left. If there is no room, *out is the extent to release first
 * (then call again: EK_KEPT_AFTER), or \p left itself (EK_NOT_KEPT). */
typedef enum { EK_KEPT, EK_KEPT_AFTER, EK_NOT_KEPT } ek_kept_answer;
ek_kept_answer ek_kept_put(const ek_left *left, ek_left *out);

/* Releases extents with pages in \p tier, least recently used first, until that
 * has freed \p bytes of the tier or none is left. */
void ek_kept_make_room(unsigned tier, size_t bytes);
/* Releases all retained extents. */
void ek_kept_drop_all(void);

/* Bytes of a tier in retained extents. */
uint64_t ek_kept_bytes(unsigned tier);

/* Releases an extent to the system. With or without the lock. */
void ek_left_release(const ek_left *left);

#ifdef __cplusplus
}
#endif
#endif
