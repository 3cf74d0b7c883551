/*===- placed.c - large blocks as objects --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: large requests become placed objects, small ones blocks of their
 * site's arena, if the plan gives it one; if there is no room for one, it goes
 * to the C library.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/placed.h"
#include "arenas/arena.h"
#include "calls/context.h"
#include "core/events.h"
#include "core/libc.h"
#include "core/say.h"
#include "core/state.h"
#include "core/stats.h"
#include "objects/chain.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "objects/pages.h"
#include "placement/place.h"
#include "providers/provider.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns a placed object, or NULL to let the C library try. Keeps errno. */
static void *place_in(uint64_t site, uint64_t context, unsigned fast,
                      size_t align, size_t n, bool *zeroed) {
  if (n < ek_threshold) {
    *zeroed = false;
    return ek_arena_alloc(site, context, align, n);
  }
  int saved = errno;
  if (!ek_reserve()) {
    errno = saved;
    return NULL;
  }
  ek_object *o = ek_object_new(site, context, NULL, n);
  if (!o || !ek_place_own(o, fast, align, zeroed)) {
    if (o)
      ek_object_delete(o);
    ek_count(EK_WHY_no_address_space, 1);
    errno = saved;
    return NULL;
  }
  ek_object_publish(o);
  ek_add(objects, 1);
  ek_add(named_bytes, n);
  errno = saved;
  return (void *)o->base;
}

void *ek_placed_new(uint64_t site, unsigned fast, size_t align, size_t n,
                    bool *zeroed) {
  return place_in(site, ek_context_of(site), fast, align, n, zeroed);
}

static void bad_pointer(const void *p) __attribute__((noreturn));
static void bad_pointer(const void *p) {
  ek_say("evenkeel: free(): invalid pointer %p: not the start of a "
         "live object\n",
         p);
  abort();
}

static ek_object *live_object(void *p) {
  ek_object *o = ek_object_at(p);
  if (!o)
    bad_pointer(p);
  return o;
}

/* Whether pages that were not placed may be reused as they are. */
static bool retains(void) {
  return ek_provider_now->retains || ek_tier_count == 1;
}

/* Deletes the record first: once the extent is left, another object may use
 * it. */
static void end_object(ek_object *o, const ek_left *left) {
  ek_tell_freed_object(o);
  ek_object_delete(o);
  ek_place_leave(left);
  ek_add(freed, 1);
}

/* In exact mode, other mappings may lie between our extents: their blocks
 * belong to the C library. */
static bool is_foreign(void *p) {
  return ek_pages_are_exact() && !ek_object_at(p);
}

static void free_placed(void *p) {
  if (ek_arena_of(p)) {
    ek_arena_free(p);
    return;
  }
  if (is_foreign(p)) {
    ek_libc.free(p);
    return;
  }
  int saved = errno; /* free() keeps errno (POSIX 2024, glibc 2.33) */
  ek_object *o = live_object(p);
  ek_object_unpublish(o);
  ek_left left = ek_unplace_own(o);
  end_object(o, &left);
  errno = saved;
}

/* Resizes a block of an arena. It stays with its site. */
static void *realloc_small(const ek_object *segment, void *p, size_t n) {
  bool zeroed;
  if (n == 0) {
    ek_arena_free(p);
    return NULL;
  }
  void *q = n < ek_threshold ? ek_arena_realloc(segment, p, n) : NULL;
  if (q)
    return q;
  if (n > PTRDIFF_MAX) {
    errno = ENOMEM;
    return NULL;
  }
  if (n >= ek_threshold)
    q = place_in(segment->site, ek_chain_context(segment->chain), EK_NO_FAST, 1,
                 n, &zeroed);
  if (!q && !(q = malloc(n)))
    return NULL;
  const size_t old = ek_arena_size(p);
  memcpy(q, p, n < old ? n : old);
  ek_arena_free(p);
  return q;
}

/* Resizes a placed block. The object keeps its site, and gets the plan's
 * placement for the new size. */
static void *realloc_placed(void *p, size_t n) {
  const ek_object *segment = ek_arena_of(p);
  if (segment)
    return realloc_small(segment, p, n);
  if (is_foreign(p))
    return ek_libc.realloc(p, n);
  ek_object *o = live_object(p);
  size_t old = o->bytes;
  if (n == 0) { /* glibc frees the block and returns NULL */
    free_placed(p);
    return NULL;
  }
  if (n > PTRDIFF_MAX) {
    errno = ENOMEM;
    return NULL;
  }
  if (n >= ek_threshold && ek_place_can_resize(o) &&
      (n <= old || ek_extent_grow(p, old, n))) {
    /* The map is updated first: after the tail is given back, another thread
     * may place an object there, whose entries must survive. */
    ek_object_resize(o, n);
    if (n < old)
      ek_extent_shrink(p, old, n, retains());
    ek_place_resized(o);
    return p;
  }
  /* The record stays, and with it identity and plan; the extent is new. */
  ek_object_unpublish(o);
  ek_left left = ek_unplace_own(o);
  void *q;
  if (n >= ek_threshold && ek_place_again(o, n)) {
    q = (void *)o->base;
    memcpy(q, p, n < old ? n : old);
    ek_object_publish(o);
    ek_place_leave(&left);
    return q;
  }
  if (n >= ek_threshold)
    ek_count(EK_WHY_no_address_space, 1);
  q = malloc(n);
  if (!q) { /* the old block is untouched */
    ek_place_moved(o);
    ek_object_publish(o);
    return NULL;
  }
  memcpy(q, p, n < old ? n : old);
  end_object(o, &left);
  return q;
}

void *ek_adopt(void *q, size_t n, void *p) {
  if (p) {
    size_t old = ek_libc.usable_size(p);
    memcpy(q, p, old < n ? old : n);
    ek_libc.free(p);
  }
  return q;
}

/* --- for the intercepted calls ---------------------------------------------
 */

void ek_placed_free(void *p) { free_placed(p); }
void *ek_placed_realloc(void *p, size_t n) { return realloc_placed(p, n); }
size_t ek_placed_size(void *p) {
  if (ek_arena_of(p))
    return ek_arena_size(p);
  return is_foreign(p) ? ek_libc.usable_size(p) : live_object(p)->bytes;
}

/* Whether a block of this alignment may be passed to operator delete. */
static bool may_be_new(size_t align) {
  if (align == 1 ? ek_new_places : ek_aligned_new_places)
    return true;
  ek_count(EK_WHY_delete_replaced, 1);
  return false;
}

void *ek_placed_or_null(uint64_t site, unsigned fast, size_t align, size_t n) {
  bool zeroed;
  if (!ek_may_place(n) || !may_be_new(align))
    return NULL;
  return ek_placed_new(site, fast, align, n, &zeroed);
}

void *ek_placed_at(const ek_asked *asked, size_t align, size_t n,
                   bool *zeroed) {
  return ek_may_place(n) ? place_in(asked->site, asked->context, asked->fast,
                                    align, n, zeroed)
                         : NULL;
}

void *ek_placed_by_context(size_t align, size_t n) {
  ek_asked asked;
  bool zeroed;
  if (!ek_may_place(n) || !ek_context_site(&asked) || !may_be_new(align))
    return NULL;
  return place_in(asked.site, asked.context, asked.fast, align, n, &zeroed);
}
