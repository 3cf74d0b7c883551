/*===- range.h - objects in memory that is not from our extents ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: static arrays, mappings and blocks of allocators that the program
 * chose become objects where they lie; they get no extent of ours.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_CALLS_RANGE_H
#define EVENKEEL_RUNTIME_CALLS_RANGE_H

#include "calls/context.h"
#include "core/state.h"
#include "objects/object.h"

/* Whether \p n bytes become an object. Does not start the runtime, which asks
 * for memory: an allocator of the program may call from inside itself, under
 * its lock. */
static inline bool ek_range_is_large(size_t n) {
  return n >= __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED) &&
         ek_running() && n >= ek_threshold;
}

/* The program mapped [p, p + n): an anonymous mapping becomes an object of the
 * site. Keeps errno. */
void ek_range_mapped(const ek_asked *asked, void *p, size_t n, int protection,
                     int flags);
/* What overlaps [from, to) ends there; the larger end of an object stays one.
 * Keeps errno. */
void ek_range_forget(uintptr_t from, uintptr_t to);
/* The object's pages are given back to their tiers. */
void ek_range_give_back(ek_object *o);
/* The same, and the object ends. */
void ek_range_gone(ek_object *o);

#endif
