/*===- arena.c - small blocks by site -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See arena.h. Arenas are made at the first block and never end, so they are
 * read without a lock. The lock of placement serialises what makes arenas and
 * segments, and what lets them grow; fork holds it.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "arenas/arena.h"
#include "arenas/heap.h"
#include "core/alone.h"
#include "core/reserved.h"
#include "core/say.h"
#include "core/stats.h"
#include "core/system.h"
#include "core/tuning.h"
#include "objects/chain.h"
#include "objects/extent.h"
#include "objects/map.h"
#include "objects/pages.h"
#include "placement/place.h"
#include "providers/provider.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  SLOTS = 256, /* of the table below; more than twice EK_MOST_REGIONS */
  NEW = 0,
  READY = 1,
  FAILED = 2
};

typedef struct arena {
  uint64_t site, context; /* site 0: a free slot */
  double planned;         /* bytes; 0: unknown */
  int state;
  int region;  /* of the heaps */
  unsigned at; /* its number */
  uintptr_t base;
  size_t bytes;
  size_t held, most;    /* bytes of its objects; the most that they may have */
  bool *entered;        /* by granule: it belongs to a segment's object */
  ek_object **segments; /* by EK_SEGMENT; NULL: not used yet */
} arena;

static arena arenas[SLOTS];
static arena *numbered[EK_MOST_REGIONS];
static unsigned count; /* of arenas that the plan names */
static bool closed;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* The slot of a site and context: its own, or the free one where it belongs. */
static arena *slot_of(uint64_t site, uint64_t context) {
  const uint64_t h = (site ^ context) * 0x9e3779b97f4a7c15ULL;
  size_t i = (size_t)(h >> 32) % SLOTS;
  while (arenas[i].site &&
         (arenas[i].site != site || arenas[i].context != context))
    i = (i + 1) % SLOTS;
  return &arenas[i];
}

static void name_arenas(const ek_plan *plan) {
  for (size_t i = 0; i < plan->count; ++i) {
    const ek_plan_object *e = &plan->objects[i];
    if (e->ordinal != EK_SMALL_BLOCKS)
      continue;
    arena *a = slot_of(e->site, e->context);
    if (!a->site && count == EK_MOST_REGIONS) {
      ek_count(EK_WHY_arenas_many, 1);
      continue;
    }
    if (!a->site) {
      *a = (arena){.site = e->site, .context = e->context, .at = count};
      numbered[count++] = a;
    }
    a->planned += e->most_bytes;
  }
}

bool ek_arenas_start(bool by_stack) {
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || plan->keeps_first_touch)
    return false;
  name_arenas(plan);
  if (!count)
    return false;
  const char *why = NULL;
  if (ek_tier_count == 1) {
    ek_count(EK_WHY_one_tier, count);
  } else if (by_stack) {
    ek_count(EK_WHY_arenas_unnamed, count);
  } else if (ek_pages_are_exact()) {
    ek_count(EK_WHY_arenas_no_space, count);
  } else if ((why = ek_heap_load())) {
    ek_say("evenkeel: arenas-unavailable: the plan gives %u sites an arena for "
           "their small blocks, but %s: they stay in the C library\n",
           count, why);
    ek_count(EK_WHY_arenas_unavailable, count);
  } else {
    return true;
  }
  memset(arenas, 0, sizeof arenas);
  count = 0;
  return false;
}

/* --- one arena ---------------------------------------------------------------
 */

static size_t bytes_for(const arena *a) {
  const double wanted = a->planned * EK_ARENA_SPACE;
  size_t bytes = (size_t)EK_ARENA_LEAST_MIB << 20;
  if (wanted > (double)bytes)
    bytes = (size_t)wanted;
  return (bytes + EK_SEGMENT - 1) & ~(EK_SEGMENT - 1);
}

/* mimalloc reuses what ended threads held late, or never; so an arena has a
 * limit, beyond which blocks come from the C library. */
static size_t most_for(const arena *a) {
  return a->planned > 0
             ? (size_t)(a->planned * EK_ARENA_GROWTH) + EK_ARENA_SLACK
             : SIZE_MAX;
}

static bool make(arena *a) {
  bool zeroed;
  if (!ek_reserve() || ek_pages_are_exact())
    return false;
  const size_t bytes = bytes_for(a);
  a->entered = calloc(bytes >> EK_GRANULE_SHIFT, sizeof *a->entered);
  a->segments = calloc(bytes / EK_SEGMENT, sizeof *a->segments);
  void *p = a->entered && a->segments
                ? ek_extent_alloc(bytes, EK_SEGMENT, &zeroed)
                : NULL;
  if (!p)
    return false;
  a->base = (uintptr_t)p;
  a->bytes = bytes;
  a->most = most_for(a);
  return ek_heap_region(p, bytes, &a->region);
}

/* Makes the arena at its first block. Its address space is never given back. */
__attribute__((noinline, cold)) static bool is_made(arena *a) {
  pthread_mutex_lock(&making);
  if (a->state == NEW) {
    const bool ok = make(a);
    if (!ok)
      ek_count(EK_WHY_arenas_no_space, 1);
    __atomic_store_n(&a->state, ok ? READY : FAILED, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return a->state == READY;
}

static bool ready(arena *a) {
  const int state = __atomic_load_n(&a->state, __ATOMIC_ACQUIRE);
  return state == NEW ? is_made(a) : state == READY;
}

/* --- granules ----------------------------------------------------------------
 */

/* A new object for the segment, whose heap is the calling thread's. */
static ek_object *new_segment(const arena *a, uintptr_t base, size_t bytes) {
  ek_object *o = ek_object_segment(a->site, a->context, (void *)base, bytes);
  if (!o)
    return NULL;
  ek_place(o, EK_NO_FAST);
  ek_object_publish(o);
  ek_add(objects, 1);
  return o;
}

/* Makes the granules up to the one of \p last a part of their segment's object.
 * mimalloc has touched the first pages of a granule by now: ek_place_grow moves
 * what lies elsewhere. Returns false if the arena may not hold more. */
__attribute__((noinline, cold)) static bool enter(arena *a, uintptr_t last) {
  const size_t s = (last - a->base) / EK_SEGMENT;
  const uintptr_t base = a->base + s * EK_SEGMENT;
  const size_t bytes = (last - base + EK_GRANULE) & ~(EK_GRANULE - 1);
  pthread_mutex_lock(&making);
  ek_object *o = a->segments[s];
  const size_t before = o ? o->bytes : 0;
  bool ok = bytes <= before;
  if (!ok && a->held + (bytes - before) <= a->most) {
    if (o)
      ek_place_grow(o, bytes);
    else
      a->segments[s] = o = new_segment(a, base, bytes);
    ok = o != NULL;
    a->held += ok ? bytes - before : 0;
    for (size_t at = before; ok && at < bytes; at += EK_GRANULE)
      __atomic_store_n(&a->entered[(base + at - a->base) >> EK_GRANULE_SHIFT],
                       true, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return ok;
}

/* Whether the block may be used; else the arena may not hold it. */
static bool entered(arena *a, const void *p, size_t n) {
  const uintptr_t last = (uintptr_t)p + (n ? n - 1 : 0);
  const size_t from = ((uintptr_t)p - a->base) >> EK_GRANULE_SHIFT;
  const size_t to = (last - a->base) >> EK_GRANULE_SHIFT;
  return __builtin_expect(
             __atomic_load_n(&a->entered[from], __ATOMIC_ACQUIRE) &&
                 __atomic_load_n(&a->entered[to], __ATOMIC_ACQUIRE),
             1) ||
         enter(a, last);
}

/* --- blocks ------------------------------------------------------------------
 */

static arena *arena_for(uint64_t site, uint64_t context) {
  arena *a = context ? slot_of(site, context) : NULL;
  if (!a || !a->site)
    a = slot_of(site, 0);
  return a->site ? a : NULL;
}

static void *heap_of(arena *a) {
  return __atomic_load_n(&closed, __ATOMIC_RELAXED)
             ? NULL
             : ek_heap_mine(a->at, a->region);
}

void *ek_arena_alloc(uint64_t site, uint64_t context, size_t align, size_t n) {
  arena *a = arena_for(site, context);
  const int saved = errno;
  if (!a || n >= EK_GRANULE || !ready(a)) {
    errno = saved;
    return NULL;
  }
  void *heap = align <= EK_HEAP_ALIGN ? heap_of(a) : NULL;
  void *p = heap ? ek_heap_alloc(heap, align, n) : NULL;
  if (p && !entered(a, p, n)) {
    ek_heap_free(p);
    p = NULL;
  }
  if (!p)
    ek_count(EK_WHY_arenas_left, 1);
  errno = saved;
  return p;
}

ek_object *ek_arena_of(const void *p) {
  if (!count)
    return NULL;
  ek_object *o = ek_map_record((uintptr_t)p);
  return o && o->range == EK_SMALLS ? o : NULL;
}

void ek_arena_free(void *p) {
  const int saved = errno;
  ek_heap_free(p);
  errno = saved;
}

void *ek_arena_realloc(const ek_object *segment, void *p, size_t n) {
  const size_t old = ek_heap_size(p);
  if (n <= old && n >= old / 2)
    return p;
  void *q =
      ek_arena_alloc(segment->site, ek_chain_context(segment->chain), 1, n);
  if (q) {
    memcpy(q, p, n < old ? n : old);
    ek_arena_free(p);
  }
  return q;
}

size_t ek_arena_size(const void *p) { return ek_heap_size(p); }

/* --- the whole ---------------------------------------------------------------
 */

void ek_arenas_lock(void) { pthread_mutex_lock(&making); }
void ek_arenas_unlock(void) { pthread_mutex_unlock(&making); }

/* Unmaps what no heap uses. A second thread may be about to use it. */
static void give_back_unused(const arena *a) {
  for (size_t s = 0; a->state == READY && s < a->bytes / EK_SEGMENT; ++s)
    if (!a->segments[s])
      ek_system_unmap((char *)a->base + s * EK_SEGMENT, EK_SEGMENT);
}

void ek_arenas_close(void) {
  if (!count)
    return;
  pthread_mutex_lock(&making);
  if (!closed) {
    __atomic_store_n(&closed, true, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < count && ek_is_alone(); ++i)
      give_back_unused(numbered[i]);
    ek_count(EK_WHY_arenas_closed, 1);
  }
  pthread_mutex_unlock(&making);
}

typedef struct sums {
  uint64_t arenas, segments, bytes, fast;
} sums;

static sums sum_up(void) {
  sums all = {0};
  for (unsigned i = 0; i < count; ++i) {
    const arena *a = numbered[i];
    if (__atomic_load_n(&a->state, __ATOMIC_ACQUIRE) != READY)
      continue;
    ++all.arenas;
    for (size_t s = 0; s < a->bytes / EK_SEGMENT; ++s) {
      const ek_object *o = a->segments[s];
      if (!o)
        continue;
      ++all.segments;
      all.bytes += o->bytes;
      all.fast += o->fast_pages * EK_PAGE_BYTES;
    }
  }
  return all;
}

void ek_arenas_print(FILE *f) {
  const sums all = sum_up();
  if (count)
    fprintf(f,
            "  arenas of small blocks: %" PRIu64 " of %u planned, %" PRIu64
            " bytes, %" PRIu64 " of them in the fast tier\n",
            all.arenas, count, all.bytes, all.fast);
}

void ek_arenas_json(FILE *f) {
  const sums all = sum_up();
  if (count)
    fprintf(f,
            "  \"arenas\": {\"planned\": %u, \"made\": %" PRIu64
            ", \"segments\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"fast_bytes\": %" PRIu64 "},\n",
            count, all.arenas, all.segments, all.bytes, all.fast);
}
