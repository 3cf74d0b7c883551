/*===- place.c - carrying out shares under a capacity -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an object's pages that do not fit into the fast tier go to the slow
 * tier and are counted, so that they can move later (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/place.h"
#include "core/events.h"
#include "core/probes.h"
#include "core/stats.h"
#include "objects/colour.h"
#include "objects/extent.h"
#include "objects/pages.h"
#include "placement/groups.h"
#include "placement/moving.h"
#include "placement/wish.h"
#include "providers/provider.h"

#include <pthread.h>

static unsigned last_tier(void) { return ek_tier_count - 1; }

static size_t pages_of(size_t bytes) { return bytes / EK_PAGE_BYTES; }

/* Pages of a batch that begins at \p at. It ends at the end of a huge page, so
 * that no huge page is split. */
static size_t batch_at(uintptr_t at, size_t bytes) {
  size_t most = EK_HUGE_BYTES - (at & (EK_HUGE_BYTES - 1));
  return (bytes < most ? bytes : most) / EK_PAGE_BYTES;
}

/* Places memory that already holds data. */
static void put_touched(uintptr_t at, size_t bytes, unsigned tier) {
  void *pages[EK_BATCH];
  int status[EK_BATCH];
  while (bytes) {
    size_t count = batch_at(at, bytes);
    for (size_t i = 0; i < count; ++i)
      pages[i] = (void *)(at + i * EK_PAGE_BYTES);
    size_t moved = ek_provider_now->move(pages, count, tier, status);
    if (moved < count)
      ek_count(EK_WHY_place_failed, (count - moved) * EK_PAGE_BYTES);
    at += count * EK_PAGE_BYTES;
    bytes -= count * EK_PAGE_BYTES;
  }
}

static void put(ek_object *o, uintptr_t at, size_t bytes, unsigned tier) {
  if (!bytes)
    return;
  if (ek_tier_count == 1)
    ; /* it already lies there */
  else if (o->range != EK_OWN)
    put_touched(at, bytes, tier);
  else if (ek_provider_now->place((void *)at, bytes, tier) != 0)
    o->as_placed = false, ek_count(EK_WHY_place_failed, bytes);
  ek_place_charge(o, tier, pages_of(bytes));
  ek_place_count(tier, bytes);
}

/* Places a run of pages, which is wanted in the fast tier if \p fast. */
static void put_run(ek_object *o, uintptr_t at, size_t bytes, bool fast,
                    bool first_touch) {
  unsigned slow = last_tier();
  size_t in_fast = 0, in_slow;
  if (slow == 0) {
    put(o, at, ek_place_take_anyway(0, bytes), 0);
    return;
  }
  if (fast) {
    in_fast = ek_place_take(0, bytes);
    if (in_fast < bytes && first_touch && ek_wish_may_change())
      ek_tell_departed(); /* all data was predicted to fit */
    if (in_fast < bytes && !first_touch) {
      ek_count(EK_WHY_tier_full, bytes - in_fast);
      o->short_pages += (uint32_t)pages_of(bytes - in_fast);
    }
    o->as_placed &= in_fast == bytes;
  }
  put(o, at, in_fast, 0);
  at += in_fast;
  bytes -= in_fast;
  in_slow = ek_place_take(slow, bytes);
  put(o, at, in_slow, slow);
  at += in_slow;
  bytes -= in_slow;
  if (!bytes)
    return;
  o->as_placed = false;
  size_t rest = fast ? 0 : ek_place_take(0, bytes); /* fast: tried above */
  if (rest)
    ek_count(EK_WHY_slow_full, rest);
  put(o, at, rest, 0);
  if (bytes > rest)
    ek_count(EK_WHY_over_capacity, bytes - rest);
  put(o, at + rest, ek_place_take_anyway(slow, bytes - rest), slow);
}

/* Places the pages from \p from on, as the plan's entry or the call says. */
static void place_wished(ek_object *o, uintptr_t from) {
  ek_walk w;
  uintptr_t page, run = 0;
  bool fast, run_fast = false;
  size_t run_bytes = 0;
  ek_walk_start(&w, o);
  if (from > w.page)
    ek_walk_skip(&w, from);
  while (ek_walk_next(&w, &page, &fast)) {
    if (run_bytes && fast == run_fast) {
      run_bytes += EK_PAGE_BYTES;
      continue;
    }
    if (run_bytes)
      put_run(o, run, run_bytes, run_fast, false);
    run = page;
    run_bytes = EK_PAGE_BYTES;
    run_fast = fast;
  }
  if (run_bytes)
    put_run(o, run, run_bytes, run_fast, false);
  /* The system may use another tier than asked for; and displacing other
   * objects may gain more than they lose. */
  o->unseen = o->fast_pages && !ek_provider_now->moves_at_once;
  ek_place_list(o);
  if (o->unseen)
    ek_migrate_look();
  else if (o->short_pages && ek_group_of(o)->worth > 0)
    ek_moving_pending();
}

static void place_pages(ek_object *o) {
  if (ek_wish_is_systems(o))
    return;
  bool first_touch = ek_wish_is_first_touch(o);
  o->accounted = o->as_placed = true;
  if (!first_touch && ek_tier_count > 1) {
    place_wished(o, 0);
    return;
  }
  /* A single run; like a system that fills the nearest memory first. */
  ek_walk w;
  ek_walk_start(&w, o);
  if (w.page < w.end)
    put_run(o, w.page,
            (w.end - w.page + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1), true,
            first_touch);
  if (ek_tier_count > 1)
    ek_place_list(o);
}

static void release_pages(ek_object *o) {
  if (!o->accounted)
    return;
  ek_moving_leave(o);
  ek_group_list(o, EK_UNLISTED);
  ek_place_give(0, o->fast_pages * EK_PAGE_BYTES);
  ek_place_give(last_tier(), o->slow_pages * EK_PAGE_BYTES);
  if (o->unseen && !o->looked)
    ek_add(unseen_pages, o->fast_pages);
  if (o->fast_pages && ek_groups_any(EK_SHORT))
    ek_moving_pending();
  o->fast_pages = o->slow_pages = o->short_pages = 0;
  o->accounted = o->recheck = o->unseen = o->leaving = o->as_placed = false;
  o->looked = false;
  o->tries = 0;
}

static void count_objects(const ek_object *o) {
  if (o->fast_pages)
    ++ek_use[0].objects;
  if (o->slow_pages)
    ++ek_use[last_tier()].objects;
}

/* --- retained extents --------------------------------------------------------
 */

/* For an object that is about to be placed, or that was placed as asked. */
static ek_layout layout_of(const ek_object *o) {
  ek_layout l = {.bytes = ek_page_span(0, o->bytes)};
  if (ek_tier_count == 1)
    return l;
  if (ek_wish_is_first_touch(o)) {
    l.kind = ek_wish_is_systems(o) ? EK_LAYOUT_SYSTEM : EK_LAYOUT_FIRST;
    if (l.kind == EK_LAYOUT_SYSTEM)
      l.thread = (uint64_t)pthread_self();
    return l;
  }
  ek_walk w;
  ek_walk_start(&w, o);
  if (w.range_count) {
    l.kind = EK_LAYOUT_PART;
    l.ranges = w.ranges;
    l.range_count = w.range_count;
    l.bytes = o->bytes;
  } else if (w.prefix > 0 && w.prefix < (double)o->bytes) {
    l.kind = EK_LAYOUT_PART;
    l.prefix = w.prefix;
    l.bytes = o->bytes;
  } else {
    l.kind = w.prefix > 0 ? EK_LAYOUT_FAST : EK_LAYOUT_SLOW;
  }
  return l;
}

/* Gives the object a retained extent, if one fits. */
static bool reuse(ek_object *o, size_t align) {
  ek_left left;
  ek_layout layout = layout_of(o);
  if (!ek_kept_take(&layout, align, &left))
    return false;
  if (ek_pages_altered((void *)left.base, left.bytes)) { /* while retained */
    ek_left_release(&left);
    return false;
  }
  o->base = left.base;
  o->fast_pages = left.fast_pages;
  o->slow_pages = left.slow_pages;
  o->accounted = o->as_placed = layout.kind != EK_LAYOUT_SYSTEM;
  if (!o->accounted)
    return true;
  const uint64_t bytes[] = {o->fast_pages * EK_PAGE_BYTES,
                            o->slow_pages * EK_PAGE_BYTES};
  ek_place_take_anyway(0, bytes[0]);
  ek_place_take_anyway(last_tier(), bytes[1]);
  ek_place_count(0, bytes[0]);
  ek_place_count(last_tier(), bytes[1]);
  o->unseen = left.unseen;
  ek_place_list(o);
  if (o->unseen)
    ek_migrate_look();
  return true;
}

/* Whether a block of \p bytes that starts inside a page may need one page more
 * than at a page boundary. Plans fill tiers by sizes alone. */
static bool lines_cost_a_page(size_t bytes) {
  return ek_page_span(EK_MOST_IN_PAGE, bytes) > ek_page_span(0, bytes);
}

/* Provides an extent and places its pages. Releases the lock while it asks the
 * system for address space. */
static bool own_pages(ek_object *o, size_t align, bool *zeroed) {
  *zeroed = false;
  if (ek_tier_count > 1 && align < EK_PAGE_BYTES && lines_cost_a_page(o->bytes))
    align = EK_PAGE_BYTES;
  if (reuse(o, align))
    return true;
  ek_place_unlock();
  void *p = ek_extent_alloc(o->bytes, align, zeroed);
  ek_place_lock();
  if (!p)
    return false;
  o->base = (uintptr_t)p;
  place_pages(o);
  return true;
}

static void tell_released(const ek_object *o) {
  EK_PROBE3(release, o->site, o->base, o->bytes);
  if (!ek_hears(released))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_released(&told);
}

ek_left ek_unplace_own(ek_object *o) {
  tell_released(o);
  ek_place_lock();
  ek_left left = {.base = o->base,
                  .bytes = o->bytes,
                  .placed = o->accounted && ek_tier_count > 1};
  if (o->accounted)
    ek_moving_leave(o);
  if (o->accounted ? o->as_placed && !o->recheck && !o->short_pages
                   : ek_wish_is_systems(o)) {
    left.layout = layout_of(o);
    left.fast_pages = o->fast_pages;
    left.slow_pages = o->slow_pages;
    left.unseen = o->unseen;
    if (left.layout.kind == EK_LAYOUT_SYSTEM ? left.placed : !left.placed)
      left.layout.kind = EK_LAYOUT_NONE; /* the plan has changed since */
  }
  release_pages(o);
  ek_place_unlock();
  return left;
}

/* Whether no other object needs the memory of an extent to be retained. */
static bool fits(const ek_left *left) {
  const size_t bytes[] = {left->fast_pages * EK_PAGE_BYTES,
                          left->slow_pages * EK_PAGE_BYTES};
  return (!bytes[0] || ((ek_place_capacity(0) == EK_UNLIMITED ||
                         bytes[0] <= ek_place_left(0)) &&
                        !ek_groups_any(EK_SHORT))) &&
         (!bytes[1] || ek_place_capacity(last_tier()) == EK_UNLIMITED ||
          bytes[1] <= ek_place_left(last_tier()));
}

void ek_place_exact(void) {
  if (ek_pages_are_exact())
    return;
  ek_place_lock();
  ek_extents_exact();
  ek_kept_drop_all();
  ek_place_unlock();
}

/* Whether another object may get the extent's pages as they are. */
static bool may_be_kept(const ek_left *left) {
  return left->layout.kind != EK_LAYOUT_NONE && !ek_pages_are_exact() &&
         !ek_pages_altered((void *)left->base, left->bytes);
}

void ek_place_leave(const ek_left *left) {
  ek_left out = *left;
  ek_kept_answer answer = EK_NOT_KEPT;
  do {
    if (may_be_kept(left)) {
      ek_place_lock();
      out = *left;
      answer = fits(left) ? ek_kept_put(left, &out) : EK_NOT_KEPT;
      ek_place_unlock();
    }
    if (answer != EK_KEPT)
      ek_left_release(&out);
  } while (answer == EK_KEPT_AFTER);
}

/* --- objects ---------------------------------------------------------------
 */

static void tell_placed(const ek_object *o) {
  EK_PROBE4(place, o->site, o->base, o->bytes, o->fast_pages);
  if (!ek_hears(placed))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_placed(&told);
}

void ek_place(ek_object *o, unsigned percent) {
  ek_word w = ek_wish_ask(o, percent);
  ek_place_lock();
  ek_wish_set(o, w);
  place_pages(o);
  count_objects(o);
  ek_wish_count(w);
  tell_placed(o);
  ek_place_unlock();
}

bool ek_place_own(ek_object *o, unsigned percent, size_t align, bool *zeroed) {
  ek_word w = ek_wish_ask(o, percent);
  ek_place_lock();
  ek_wish_set(o, w);
  bool ok = own_pages(o, align, zeroed);
  if (ok) {
    count_objects(o);
    ek_wish_count(w);
    tell_placed(o);
  }
  ek_place_unlock();
  return ok;
}

bool ek_place_again(ek_object *o, size_t bytes) {
  bool zeroed;
  ek_place_lock();
  size_t old = o->bytes;
  o->bytes = bytes;
  bool ok = own_pages(o, 1, &zeroed);
  if (ok)
    tell_placed(o);
  else
    o->bytes = old;
  ek_place_unlock();
  return ok;
}

void ek_place_grow(ek_object *o, size_t bytes) {
  ek_place_lock();
  const uintptr_t end = o->base + o->bytes;
  ek_object_resize(o, bytes);
  if (o->accounted)
    place_wished(o, end);
  ek_place_unlock();
}

bool ek_place_can_resize(const ek_object *o) {
  if (ek_tier_count == 1)
    return true;
  ek_place_lock();
  bool accounted = o->accounted;
  ek_place_unlock();
  return !accounted;
}

void ek_place_resized(ek_object *o) {
  size_t bytes = ek_page_span(o->base, o->bytes);
  if (ek_tier_count > 1)
    return; /* it was not accounted: see ek_place_can_resize */
  ek_place_lock();
  ek_place_give(0, o->fast_pages * EK_PAGE_BYTES);
  o->fast_pages = 0;
  ek_place_charge(o, 0, pages_of(ek_place_take_anyway(0, bytes)));
  ek_place_unlock();
}

void ek_place_moved(ek_object *o) {
  ek_place_lock();
  place_pages(o);
  tell_placed(o);
  ek_place_unlock();
}

bool ek_unplace(ek_object *o) {
  tell_released(o);
  ek_place_lock();
  bool placed = o->accounted && ek_tier_count > 1;
  release_pages(o);
  ek_place_unlock();
  return placed;
}
