/*===- range.h - objects outside our extents ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: static arrays, mappings, and blocks of allocators that the program
 * chose become objects at their own addresses, without an extent of ours.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_CALLS_RANGE_H
#define EVENKEEL_RUNTIME_CALLS_RANGE_H

#include "calls/context.h"
#include "core/state.h"
#include "objects/object.h"

/* Whether \p n bytes become an object. Does not start the runtime, because that
 * allocates: an allocator of the program may call this internally, under its
 * own lock. */
static inline bool ek_range_is_large(size_t n) {
  return n >= __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED) &&
         ek_running() && n >= ek_threshold;
}

/* The program mapped [p, p + n): if the mapping can be placed, it becomes an
 * object of the site. Keeps errno. */
void ek_range_mapped(const ek_asked *asked, void *p, size_t n, int protection,
                     int flags);
/* Ends all objects in [from, to); of one that extends beyond, the larger
 * remaining end stays an object. Keeps errno. */
void ek_range_forget(uintptr_t from, uintptr_t to);
/* Gives the object's room in the tiers back. */
void ek_range_give_back(ek_object *o);
/* The same, and ends the object. */
void ek_range_gone(ek_object *o);

#endif
