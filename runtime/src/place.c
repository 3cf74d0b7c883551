/*===- place.c - carrying out shares under a capacity -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a chunk's fast part is its first part, rounded to pages so that the
 * error never exceeds half a page over the whole object (as in Bresenham 1965:
 * a page is fast when the line of asked-for bytes is half a page ahead).
 * What does not fit the fast tier goes to the slow one and is remembered; a
 *hook catches up once something fast was freed.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "place.h"
#include "extent.h"
#include "options.h"
#include "provider.h"
#include "stats.h"

#include <pthread.h>
#include <time.h>

ek_plan *ek_plan_now;
int ek_place_pending;
ek_tier_use ek_use[EK_MAX_TIERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t capacity[EK_MAX_TIERS];
static ek_object *deficits, *deficits_last; /* oldest first */

void ek_place_lock(void) { pthread_mutex_lock(&lock); }
void ek_place_unlock(void) { pthread_mutex_unlock(&lock); }

void ek_place_start(void) {
  for (unsigned t = 0; t < ek_tier_count; ++t)
    capacity[t] = ek_tiers[t].capacity;
  if (ek_plan_now && ek_tier_count > 1 && ek_plan_now->fast_bytes &&
      ek_plan_now->fast_bytes < capacity[0])
    capacity[0] = ek_plan_now->fast_bytes;
}

uint64_t ek_place_capacity(unsigned tier) { return capacity[tier]; }

/* --- the walk --------------------------------------------------------------
 */

void ek_walk_start(ek_walk *w, const ek_object *o) {
  double bytes = (double)o->bytes;
  *w = (ek_walk){.chunk = bytes / EK_PLAN_CHUNKS,
                 .base = o->base,
                 .page = (o->base + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1),
                 .end = o->base + o->bytes};
  /* The last page may hold other people's data, too. */
  if (o->range == EK_FIXED || o->range == EK_OTHER)
    w->end &= ~(uintptr_t)(EK_PAGE_BYTES - 1);
  if (o->plan && o->plan->range_count) {
    w->ranges = o->plan->ranges;
    w->range_count = o->plan->range_count;
  } else if (o->plan) {
    w->prefix = o->plan->share * bytes;
  } else if (o->percent != EK_NO_FAST) {
    w->prefix = o->percent * bytes / 100;
  }
}

/* Fast bytes asked for in the object's first \p x bytes; x never falls. */
static double asked(ek_walk *w, double x) {
  if (!w->ranges)
    return x < w->prefix ? x : w->prefix;
  while (w->range < w->range_count && w->ranges[w->range].to * w->chunk <= x) {
    const ek_plan_range *r = &w->ranges[w->range++];
    w->before += (r->to - r->from) * r->share * w->chunk;
  }
  if (w->range == w->range_count)
    return w->before;
  const ek_plan_range *r = &w->ranges[w->range];
  double into = x - r->from * w->chunk;
  if (into <= 0)
    return w->before;
  double whole = (double)(uint64_t)(into / w->chunk);
  double rest = into - whole * w->chunk, part = r->share * w->chunk;
  return w->before + whole * part + (rest < part ? rest : part);
}

bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast) {
  if (w->page >= w->end)
    return false;
  uintptr_t stop = w->page + EK_PAGE_BYTES;
  if (stop > w->end)
    stop = w->end;
  double bytes = (double)(stop - w->page);
  *page = w->page;
  *fast = asked(w, (double)(stop - w->base)) - w->given >= bytes / 2;
  if (*fast)
    w->given += bytes;
  w->page += EK_PAGE_BYTES;
  return true;
}

/* --- accounting ------------------------------------------------------------
 */

/* All of this under the lock. */

static unsigned last_tier(void) { return ek_tier_count - 1; }

static size_t grant(unsigned tier, size_t bytes) {
  if (capacity[tier] == EK_UNLIMITED)
    return bytes;
  uint64_t left = capacity[tier] > ek_use[tier].live
                      ? capacity[tier] - ek_use[tier].live
                      : 0;
  left &= ~(uint64_t)(EK_PAGE_BYTES - 1);
  return bytes < left ? bytes : (size_t)left;
}

static void charge(ek_object *o, unsigned tier, size_t bytes) {
  ek_tier_use *u = &ek_use[tier];
  u->live += bytes;
  if (u->live > u->peak)
    u->peak = u->live;
  *(tier == 0 ? &o->fast_bytes : &o->slow_bytes) += bytes;
}

/* Pages of a batch that begins at \p at: it ends where a huge page does, so
 * that none is torn apart. */
static size_t batch_at(uintptr_t at, size_t bytes) {
  size_t most = EK_HUGE_BYTES - (at & (EK_HUGE_BYTES - 1));
  return (bytes < most ? bytes : most) / EK_PAGE_BYTES;
}

/* Memory that holds data already. */
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
    ; /* it lies there already */
  else if (o->range != EK_OWN)
    put_touched(at, bytes, tier);
  else if (ek_provider_now->place((void *)at, bytes, tier) != 0)
    ek_count(EK_WHY_place_failed, bytes);
  charge(o, tier, bytes);
  ek_use[tier].placed += bytes;
}

/* A run of pages asked for in the fast tier, or not. */
static void put_run(ek_object *o, uintptr_t at, size_t bytes, bool fast,
                    bool first_touch) {
  unsigned slow = last_tier();
  size_t in_fast = 0, in_slow;
  if (slow == 0) {
    put(o, at, bytes, 0);
    return;
  }
  if (fast) {
    in_fast = grant(0, bytes);
    if (in_fast < bytes && !first_touch) {
      ek_count(EK_WHY_tier_full, bytes - in_fast);
      o->deficit += bytes - in_fast;
    }
  }
  put(o, at, in_fast, 0);
  at += in_fast;
  bytes -= in_fast;
  in_slow = grant(slow, bytes);
  put(o, at, in_slow, slow);
  at += in_slow;
  bytes -= in_slow;
  if (!bytes)
    return;
  size_t rest = fast ? 0 : grant(0, bytes); /* fast was tried above */
  if (rest)
    ek_count(EK_WHY_slow_full, rest);
  put(o, at, rest, 0);
  if (bytes > rest)
    ek_count(EK_WHY_over_capacity, bytes - rest);
  put(o, at + rest, bytes - rest, slow);
}

static void deficit_add(ek_object *o) {
  o->in_deficit = 1;
  o->next = NULL;
  o->prev = deficits_last;
  *(deficits_last ? &deficits_last->next : &deficits) = o;
  deficits_last = o;
}

static void deficit_remove(ek_object *o) {
  *(o->prev ? &o->prev->next : &deficits) = o->next;
  *(o->next ? &o->next->prev : &deficits_last) = o->prev;
  o->in_deficit = 0;
}

static void place_pages(ek_object *o) {
  bool planned = ek_plan_now && !ek_plan_now->keeps_first_touch;
  bool first_touch = !o->plan && o->percent == EK_NO_FAST && !planned;
  if (first_touch && ek_provider_now->system_places_unplanned &&
      ek_tier_count > 1)
    return;
  o->accounted = 1;
  ek_walk w;
  uintptr_t page, run = 0;
  bool fast, run_fast = false;
  size_t run_bytes = 0;
  ek_walk_start(&w, o);
  if (first_touch || ek_tier_count == 1) {
    /* One run; as a system does that fills the nearest memory first. */
    if (w.page < w.end)
      put_run(o, w.page,
              (w.end - w.page + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1), true,
              first_touch);
    return;
  }
  while (ek_walk_next(&w, &page, &fast)) {
    if (run_bytes && fast == run_fast) {
      run_bytes += EK_PAGE_BYTES;
      continue;
    }
    if (run_bytes)
      put_run(o, run, run_bytes, run_fast, first_touch);
    run = page;
    run_bytes = EK_PAGE_BYTES;
    run_fast = fast;
  }
  if (run_bytes)
    put_run(o, run, run_bytes, run_fast, first_touch);
  if (o->deficit && !o->in_deficit)
    deficit_add(o);
}

static void release_pages(ek_object *o) {
  if (o->in_deficit)
    deficit_remove(o);
  if (!o->accounted)
    return;
  ek_use[0].live -= o->fast_bytes;
  ek_use[last_tier()].live -= o->slow_bytes;
  if (o->fast_bytes && deficits)
    __atomic_store_n(&ek_place_pending, 1, __ATOMIC_RELEASE);
  o->fast_bytes = o->slow_bytes = o->deficit = 0;
  o->accounted = 0;
}

static void count_objects(const ek_object *o) {
  if (o->fast_bytes)
    ++ek_use[0].objects;
  if (o->slow_bytes)
    ++ek_use[last_tier()].objects;
}

void ek_place(ek_object *o, unsigned percent, uint64_t context) {
  bool pinned = percent >= EK_PIN && percent <= EK_PIN + 100;
  if (pinned)
    percent -= EK_PIN;
  if (ek_plan_now && !ek_plan_now->keeps_first_touch) {
    ek_plan_object *entry =
        ek_plan_find(ek_plan_now, o->site, context, o->creator, o->ordinal);
    if (entry)
      __atomic_store_n(&entry->used, true, __ATOMIC_RELAXED);
    if (!pinned) /* what people wrote wins */
      o->plan = entry;
  }
  if (percent <= 100)
    o->percent = (uint8_t)percent;
  if ((o->plan || o->percent != EK_NO_FAST) && ek_tier_count == 1)
    ek_count(EK_WHY_one_tier, 1);
  if (o->plan)
    ek_add(planned, 1);
  else if (pinned)
    ek_add(pinned, 1);
  else if (o->percent != EK_NO_FAST)
    ek_add(by_call, 1);
  else
    ek_add(unplanned, 1);
  pthread_mutex_lock(&lock);
  place_pages(o);
  count_objects(o);
  pthread_mutex_unlock(&lock);
}

bool ek_place_can_resize(const ek_object *o) {
  return ek_tier_count == 1 || !o->accounted;
}

void ek_place_resized(ek_object *o) {
  if (!o->accounted)
    return;
  size_t bytes = (o->bytes + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1);
  pthread_mutex_lock(&lock);
  ek_use[0].live -= o->fast_bytes;
  o->fast_bytes = 0;
  charge(o, 0, bytes);
  pthread_mutex_unlock(&lock);
}

void ek_place_moved(ek_object *o) {
  pthread_mutex_lock(&lock);
  place_pages(o);
  pthread_mutex_unlock(&lock);
}

bool ek_unplace(ek_object *o) {
  pthread_mutex_lock(&lock);
  bool placed = o->accounted && ek_tier_count > 1;
  release_pages(o);
  pthread_mutex_unlock(&lock);
  return placed;
}

/* --- catching up at a hook --------------------------------------------------
 */

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Moves \p count pages that are asked for in tier 0 and charged elsewhere.
 * Returns pages that arrived. */
static size_t move_batch(ek_object *o, void **pages, size_t count) {
  int status[EK_BATCH];
  uint64_t start = now_ns();
  size_t moved = ek_provider_now->move(pages, count, 0, status);
  ek_add(move_ns, now_ns() - start);
  ek_add(move_calls, 1);
  ek_add(moved_pages, moved);
  size_t bytes = moved * EK_PAGE_BYTES;
  if (bytes > o->slow_bytes)
    bytes = o->slow_bytes;
  o->slow_bytes -= bytes;
  ek_use[last_tier()].live -= bytes;
  charge(o, 0, bytes);
  if (moved < count)
    ek_count(EK_WHY_move_refused, count - moved);
  return moved;
}

/* Measured cost so far against what the plan says the object gains. */
static bool worth_moving(const ek_object *o) {
  uint64_t pages = ek_get(moved_pages);
  if (!o->plan || o->plan->gain_s <= 0 || !pages)
    return true; /* no gain stated, or nothing measured yet */
  double page_s = (double)ek_get(move_ns) / (double)pages * 1e-9;
  double wanted = (double)(o->fast_bytes + o->deficit);
  double gain = o->plan->gain_s * ((double)o->deficit / wanted);
  return page_s * (double)(o->deficit / EK_PAGE_BYTES) <= gain;
}

/* Returns whether the budget is used up. */
static bool catch_up_object(ek_object *o, size_t *budget) {
  void *pages[EK_BATCH], *ask[EK_BATCH];
  int tiers[EK_BATCH];
  ek_walk w;
  uintptr_t page;
  bool fast, more = true;
  ek_walk_start(&w, o);
  while (more) {
    size_t asked_for = 0, wanted = 0;
    while (asked_for < EK_BATCH && (more = ek_walk_next(&w, &page, &fast)))
      if (fast)
        ask[asked_for++] = (void *)page;
    if (!asked_for)
      break;
    ek_provider_now->query(ask, asked_for, tiers);
    size_t room = grant(0, asked_for * EK_PAGE_BYTES);
    if (room > *budget)
      room = *budget & ~(EK_PAGE_BYTES - 1);
    for (size_t i = 0; i < asked_for; ++i)
      if (tiers[i] != 0 && (wanted + 1) * EK_PAGE_BYTES <= room)
        pages[wanted++] = ask[i];
    if (wanted) {
      size_t bytes = move_batch(o, pages, wanted) * EK_PAGE_BYTES;
      o->deficit -= bytes < o->deficit ? bytes : o->deficit;
      *budget -= wanted * EK_PAGE_BYTES;
    }
    if (*budget < EK_PAGE_BYTES)
      return true;
    if (grant(0, EK_PAGE_BYTES) == 0 || !o->deficit)
      return false;
  }
  return false;
}

void ek_place_catch_up(void) {
  size_t budget = ek_opt.migrate;
  if (budget < EK_PAGE_BYTES || pthread_mutex_trylock(&lock) != 0)
    return; /* off; or somebody allocates: the next hook does it */
  __atomic_store_n(&ek_place_pending, 0, __ATOMIC_RELAXED);
  for (ek_object *o = deficits, *next; o; o = next) {
    next = o->next;
    if (grant(0, EK_PAGE_BYTES) == 0)
      break;
    if (!worth_moving(o)) {
      ek_count(EK_WHY_move_not_worth, 1);
      o->deficit = 0;
      deficit_remove(o);
      continue;
    }
    bool spent = catch_up_object(o, &budget);
    if (!o->deficit)
      deficit_remove(o);
    if (spent) {
      ek_count(EK_WHY_move_budget, 1);
      __atomic_store_n(&ek_place_pending, 1, __ATOMIC_RELEASE);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
}
