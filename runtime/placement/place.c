/*===- place.c - carrying out shares under a capacity -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a chunk's fast part is its first part, rounded to pages so that the
 * error never exceeds half a page over the whole object (as in Bresenham 1965:
 * a page is fast when the line of asked-for bytes is half a page ahead).
 * What does not fit the fast tier goes to the slow one and is remembered
 * (migrate.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/place.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/stats.h"
#include "hooks/replan/replan.h"
#include "objects/chain.h"
#include "objects/colour.h"
#include "objects/extent.h"
#include "objects/pages.h"
#include "placement/groups.h"
#include "placement/migrate.h"
#include "placement/own.h"
#include "placement/unlike.h"
#include "placement/unsure.h"
#include "providers/provider.h"
#include "ranks/board.h"
#include "ranks/rank.h"
#include "ranks/share.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ek_plan *ek_plan_now;
ek_tier_use ek_use[EK_MAX_TIERS];

static uint32_t rank; /* which of a plan's is this process */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* see ek_place_lock */
static uint64_t capacity[EK_MAX_TIERS];
static struct {
  uint64_t data;                /* bytes whose page tables have their room */
  uint64_t spare[EK_MAX_TIERS]; /* bytes that the plan leaves of a tier */
} set_aside;

void ek_place_lock(void) { pthread_mutex_lock(&lock); }
void ek_place_unlock(void) { pthread_mutex_unlock(&lock); }

void ek_place_fork_wait(void) { ek_migrate_fork_wait(&lock); }

void ek_place_plan(ek_plan *plan) {
  rank = ek_rank();
  void *memory = plan ? ek_groups_memory(plan, false) : NULL;
  if (plan && !memory)
    return; /* as without one */
  pthread_mutex_lock(&lock);
  ek_kept_drop_all(); /* by wishes of the old one */
  void *old = ek_groups_take(plan, false, memory);
  ek_plan_now = plan;
  pthread_mutex_unlock(&lock);
  free(old);
}

bool ek_place_add_groups(ek_plan *plan) {
  /* Nobody else changes the number. */
  void *memory = ek_groups_memory(plan, true);
  if (!memory)
    return false;
  pthread_mutex_lock(&lock);
  void *old = ek_groups_take(plan, true, memory);
  pthread_mutex_unlock(&lock);
  free(old);
  return true;
}

/* Ranks of a node have one fast tier among them. */
static void share_fast_tier(void) {
  char name[256];
  unsigned ranks;
  if (ek_tier_count < 2 || capacity[0] == EK_UNLIMITED || ek_share_is_open() ||
      !ek_share_name(name, sizeof name, &ranks)[0])
    return;
  uint64_t all = ek_share_open(name, capacity[0]);
  if (all) {
    capacity[0] = all; /* others may have taken some before we measured */
  } else {
    ek_count(EK_WHY_share_unavailable, 1);
    capacity[0] /= ranks ? ranks : 1;
  }
  if (ek_use[0].most > capacity[0])
    ek_use[0].most = capacity[0];
}

/* Ranks that are to plan again do so together. */
static void join_board(void) {
  if (!ek_plan_now || !ek_plan_now->rank_count || !ek_plan_now->replans ||
      !ek_opt.balance || ek_tier_count < 2)
    return;
  const char *why = ek_board_open((uint32_t)ek_plan_now->rank_count,
                                  ek_plan_identity(ek_plan_now));
  if (!why[0])
    return;
  ek_count(EK_WHY_ranks_apart, 1);
  snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s", why);
}

void ek_place_launched(uint32_t ranks) {
  ek_plan *plan = ek_plan_now;
  unsigned planned = plan && plan->rank_count ? (unsigned)plan->rank_count : 1;
  if (!plan || !ranks || ranks == planned || ek_get(why[EK_WHY_other_ranks]))
    return;
  ek_plan_drop(plan);
  ek_count(EK_WHY_other_ranks, 1);
  if (ek_rank() == 0)
    fprintf(stderr,
            "evenkeel: %s: other-ranks: is for %u rank%s, not for %u: first "
            "touch is kept; plan from a base run of %u\n",
            ek_opt.plan, planned, planned == 1 ? "" : "s", ranks, ranks);
}

void ek_place_ranks(void) {
  rank = ek_rank();
  ek_place_lock();
  if (ek_kept_bytes(0)) /* what is kept back is nobody's in the account */
    ek_kept_make_room(0, ek_kept_bytes(0));
  bool shared = ek_share_is_open();
  share_fast_tier();
  if (!shared && ek_share_is_open())
    ek_share_take_anyway(ek_use[0].live);
  ek_place_unlock();
  join_board();
}

/* What of a tier is for data. */
static uint64_t for_data(unsigned tier) {
  char name[256];
  unsigned ranks = 0;
  uint64_t all = ek_tiers[tier].capacity;
  if (!ek_tiers[tier].home || all == EK_UNLIMITED || ek_tier_count < 2)
    return all;
  if (!ek_share_name(name, sizeof name, &ranks)[0])
    ranks = 1;
  uint64_t own = ek_own_bytes(ranks) + ek_own_tables(set_aside.data);
  return all > own ? all - own : 0;
}

void ek_place_start(void) {
  set_aside.data = ek_plan_now ? ek_plan_now->data_bytes : 0;
  for (unsigned t = 0; t < ek_tier_count; ++t) {
    capacity[t] = for_data(t);
    set_aside.spare[t] = 0;
  }
  if (ek_plan_now && ek_tier_count > 1 && ek_plan_now->fast_bytes &&
      ek_plan_now->fast_bytes < capacity[0]) {
    set_aside.spare[0] = capacity[0] - ek_plan_now->fast_bytes;
    capacity[0] = ek_plan_now->fast_bytes;
  }
  share_fast_tier();
  if (!ek_share_unknown()) /* else MPI may tell (ek_place_ranks) */
    join_board();
}

uint64_t ek_place_capacity(unsigned tier) { return capacity[tier]; }

/* --- the walk --------------------------------------------------------------
 */

void ek_walk_start(ek_walk *w, const ek_object *o) {
  double bytes = (double)o->bytes;
  *w = (ek_walk){.chunk = bytes / EK_PLAN_CHUNKS,
                 .base = o->base,
                 .page = ek_first_page(o->base),
                 .end = o->base + o->bytes};
  /* The first and last page may hold other people's data, too. */
  if (o->range != EK_OWN)
    w->page = ek_first_page(o->base + EK_PAGE_BYTES - 1);
  if (o->range == EK_FIXED || o->range == EK_OTHER)
    w->end = ek_first_page(w->end);
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

/* Sums of shares in doubles are off by less, of up to some TiB. */
#define EK_ROUNDING 1e-6

void ek_place_pages(const ek_object *o, uintptr_t *from, uintptr_t *to) {
  ek_walk w;
  ek_walk_start(&w, o);
  *from = w.page;
  *to = (w.end + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1);
}

bool ek_walk_is_fast(ek_walk *w, uintptr_t page) {
  if (page < w->base || page + EK_PAGE_BYTES > w->end)
    return false;
  double x = (double)(page - w->base), before = asked(w, x);
  return asked(w, x + EK_PAGE_BYTES) - before >=
         EK_PAGE_BYTES * (1 - EK_ROUNDING);
}

bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast) {
  if (w->page >= w->end)
    return false;
  uintptr_t stop = w->page + EK_PAGE_BYTES;
  if (stop > w->end)
    stop = w->end;
  double bytes = (double)(stop - (w->page > w->base ? w->page : w->base));
  *page = w->page;
  /* Rounding of chunk borders must not lose a page that is owed exactly. */
  *fast = asked(w, (double)(stop - w->base)) - w->given >=
          bytes / 2 * (1 - EK_ROUNDING);
  if (*fast)
    w->given += bytes;
  w->page += EK_PAGE_BYTES;
  return true;
}

/* --- accounting ------------------------------------------------------------
 */

/* All of this under the lock. */

static unsigned last_tier(void) { return ek_tier_count - 1; }

static size_t pages_of(size_t bytes) { return bytes / EK_PAGE_BYTES; }

static size_t count_live(unsigned tier, size_t bytes) {
  ek_tier_use *u = &ek_use[tier];
  u->live += bytes;
  if (u->live > u->peak)
    u->peak = u->live;
  return bytes;
}

/* Of bytes that are live. */
static void count_placed(unsigned tier, uint64_t bytes) {
  ek_tier_use *u = &ek_use[tier];
  uint64_t now = u->live < capacity[tier] ? u->live : capacity[tier];
  u->placed += bytes;
  if (bytes && now > u->most)
    u->most = now;
}

size_t ek_place_take_anyway(unsigned tier, size_t bytes) {
  if (tier == 0)
    ek_share_take_anyway(bytes);
  return count_live(tier, bytes);
}

/* Page tables of more data than room was set aside for. */
static uint64_t more_tables(unsigned tier) {
  if (!ek_tiers[tier].home || ek_tier_count < 2)
    return 0;
  uint64_t data = ek_use[0].live + ek_use[last_tier()].live;
  uint64_t more =
      data > set_aside.data ? ek_own_tables(data - set_aside.data) : 0;
  return more > set_aside.spare[tier] ? more - set_aside.spare[tier] : 0;
}

static uint64_t left_of(unsigned tier) {
  uint64_t used = ek_use[tier].live + ek_kept_bytes(tier) + more_tables(tier);
  uint64_t left = capacity[tier] > used ? capacity[tier] - used : 0;
  return left & ~(uint64_t)(EK_PAGE_BYTES - 1);
}

size_t ek_place_take(unsigned tier, size_t bytes) {
  if (capacity[tier] != EK_UNLIMITED) {
    uint64_t left = left_of(tier);
    if (bytes > left && ek_kept_bytes(tier)) {
      ek_kept_make_room(tier, bytes - (size_t)left);
      left = left_of(tier);
    }
    if (bytes > left)
      bytes = (size_t)left;
  }
  if (tier == 0)
    bytes = ek_share_take(bytes);
  return count_live(tier, bytes);
}

void ek_place_give(unsigned tier, size_t bytes) {
  ek_use[tier].live -= bytes;
  if (tier == 0)
    ek_share_give(bytes);
}

static void charge(ek_object *o, unsigned tier, size_t pages) {
  *(tier == 0 ? &o->fast_pages : &o->slow_pages) += (uint32_t)pages;
}

size_t ek_place_arrived(ek_object *o, unsigned to, size_t pages) {
  uint32_t *from = to == 0 ? &o->slow_pages : &o->fast_pages;
  size_t known = pages < *from ? pages : *from;
  ek_place_give(to == 0 ? last_tier() : 0, known * EK_PAGE_BYTES);
  ek_place_give(to, (pages - known) * EK_PAGE_BYTES);
  *from -= (uint32_t)known;
  o->as_placed = false;
  charge(o, to, known);
  return known;
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
    o->as_placed = false, ek_count(EK_WHY_place_failed, bytes);
  charge(o, tier, pages_of(bytes));
  count_placed(tier, bytes);
}

/* First touch is kept as long as all fits: hooks have to know where objects
 * lie, and to move them. */
static bool may_move_later(void) {
  const ek_plan *plan = ek_plan_of_now();
  return plan && plan->keeps_first_touch && plan->all_fits && plan->replans &&
         ek_opt.balance;
}

/* A run of pages asked for in the fast tier, or not. */
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
    if (in_fast < bytes && first_touch && may_move_later())
      ek_tell_departed(); /* what was to fit does not */
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
  size_t rest = fast ? 0 : ek_place_take(0, bytes); /* it was tried above */
  if (rest)
    ek_count(EK_WHY_slow_full, rest);
  put(o, at, rest, 0);
  if (bytes > rest)
    ek_count(EK_WHY_over_capacity, bytes - rest);
  put(o, at + rest, ek_place_take_anyway(slow, bytes - rest), slow);
}

void ek_place_list(ek_object *o) {
  bool waits = o->short_pages || o->recheck || (o->unseen && !o->looked);
  ek_group_list(o, waits ? EK_SHORT : o->fast_pages ? EK_CONTENT : EK_UNLISTED);
}

/* Whether anything waits for room in the fast tier. */
static bool anything_short(void) { return ek_groups_any(EK_SHORT); }

bool ek_place_short(void) {
  pthread_mutex_lock(&lock);
  bool any = anything_short();
  pthread_mutex_unlock(&lock);
  return any;
}

static bool same_wish(const ek_plan_object *a, const ek_plan_object *b) {
  if (!a || !b || a->range_count != b->range_count ||
      (!a->range_count && a->share != b->share))
    return a == b;
  for (size_t i = 0; i < a->range_count; ++i)
    if (a->ranges[i].from != b->ranges[i].from ||
        a->ranges[i].to != b->ranges[i].to ||
        a->ranges[i].share != b->ranges[i].share)
      return false;
  return true;
}

/* What the plan calls this process's creator. Ranks that it does not know have
 * its entries for any creator only. */
static uint64_t planned_creator(const ek_plan *plan, uint32_t creator) {
  if (!plan->rank_count)
    return creator;
  return rank < plan->rank_count ? plan->ranks[rank] + (uint64_t)creator
                                 : EK_ANY - 1;
}

static ek_plan_object *find_entry(const ek_plan *plan, const ek_object *o) {
  const ek_instance named = {o->site, ek_chain_context(o->chain),
                             planned_creator(plan, o->creator), o->ordinal,
                             o->in_context};
  return ek_plan_find(plan, &named);
}

void ek_place_follow(ek_object *o, const ek_plan *plan) {
  if (o->pinned || !o->accounted)
    return;
  ek_plan_object *to = find_entry(plan, o);
  if (!to)
    return;
  bool same = same_wish(o->plan, to);
  ek_group_list(o, EK_UNLISTED);
  o->plan = to;
  o->recheck |= !same;
  o->as_placed &= same;
  __atomic_store_n(&to->used, true, __ATOMIC_RELAXED);
  ek_place_list(o);
}

/* Nobody says anything of the object. */
static bool is_first_touch(const ek_object *o) {
  const ek_plan *plan = ek_plan_of_now();
  bool planned = plan && !plan->keeps_first_touch;
  return !o->plan && o->percent == EK_NO_FAST && !planned;
}

static bool system_places(const ek_object *o) {
  return ek_tier_count > 1 && ek_provider_now->system_places_unplanned &&
         is_first_touch(o) && !may_move_later();
}

static void place_pages(ek_object *o) {
  if (system_places(o))
    return;
  bool first_touch = is_first_touch(o);
  o->accounted = o->as_placed = true;
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
    if (ek_tier_count > 1)
      ek_place_list(o);
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
  /* The system may put pages elsewhere than asked for; and others may be worth
   * less than what fell short. */
  o->unseen = o->fast_pages && !ek_provider_now->moves_at_once;
  ek_place_list(o);
  if (o->unseen)
    ek_migrate_look();
  else if (o->short_pages && ek_group_of(o)->worth > 0)
    __atomic_store_n(&ek_migrate_pending, 1, __ATOMIC_RELEASE);
}

static void release_pages(ek_object *o) {
  if (!o->accounted)
    return;
  ek_migrate_leave(o, &lock);
  ek_group_list(o, EK_UNLISTED);
  ek_place_give(0, o->fast_pages * EK_PAGE_BYTES);
  ek_place_give(last_tier(), o->slow_pages * EK_PAGE_BYTES);
  if (o->unseen && !o->looked)
    ek_add(unseen_pages, o->fast_pages);
  if (o->fast_pages && anything_short())
    __atomic_store_n(&ek_migrate_pending, 1, __ATOMIC_RELEASE);
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

/* --- kept extents ------------------------------------------------------------
 */

/* Of an object that is to be placed, or was as asked for. */
static ek_layout layout_of(const ek_object *o) {
  ek_layout l = {.bytes = ek_page_span(0, o->bytes)};
  if (ek_tier_count == 1)
    return l;
  if (is_first_touch(o)) {
    l.kind = system_places(o) ? EK_LAYOUT_SYSTEM : EK_LAYOUT_FIRST;
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

/* The pages of a kept extent become the object's. */
static bool reuse(ek_object *o, size_t align) {
  ek_left left;
  ek_layout layout = layout_of(o);
  if (!ek_kept_take(&layout, align, &left))
    return false;
  if (ek_pages_altered((void *)left.base,
                       left.bytes)) { /* since it was freed */
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
  count_placed(0, bytes[0]);
  count_placed(last_tier(), bytes[1]);
  o->unseen = left.unseen;
  ek_place_list(o);
  if (o->unseen)
    ek_migrate_look();
  return true;
}

/* Whether a block that starts within a page has one more of them than its size
 * takes. Plans fill tiers by sizes. */
static bool lines_cost_a_page(size_t bytes) {
  return ek_page_span(EK_MOST_IN_PAGE, bytes) > ek_page_span(0, bytes);
}

/* An extent and its pages. The lock is not kept while the system is asked for
 * address space. */
static bool own_pages(ek_object *o, size_t align, bool *zeroed) {
  *zeroed = false;
  if (ek_tier_count > 1 && align < EK_PAGE_BYTES && lines_cost_a_page(o->bytes))
    align = EK_PAGE_BYTES;
  if (reuse(o, align))
    return true;
  pthread_mutex_unlock(&lock);
  void *p = ek_extent_alloc(o->bytes, align, zeroed);
  pthread_mutex_lock(&lock);
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
  pthread_mutex_lock(&lock);
  ek_left left = {.base = o->base,
                  .bytes = o->bytes,
                  .placed = o->accounted && ek_tier_count > 1};
  if (o->accounted)
    ek_migrate_leave(o, &lock);
  if (o->accounted ? o->as_placed && !o->recheck && !o->short_pages
                   : system_places(o)) {
    left.layout = layout_of(o);
    left.fast_pages = o->fast_pages;
    left.slow_pages = o->slow_pages;
    left.unseen = o->unseen;
    if (left.layout.kind == EK_LAYOUT_SYSTEM ? left.placed : !left.placed)
      left.layout.kind = EK_LAYOUT_NONE; /* the plan has changed meanwhile */
  }
  release_pages(o);
  pthread_mutex_unlock(&lock);
  return left;
}

/* Whether nobody waits for the memory that is to be kept. */
static bool fits(const ek_left *left) {
  const size_t bytes[] = {left->fast_pages * EK_PAGE_BYTES,
                          left->slow_pages * EK_PAGE_BYTES};
  return (!bytes[0] ||
          ((capacity[0] == EK_UNLIMITED || bytes[0] <= left_of(0)) &&
           !anything_short())) &&
         (!bytes[1] || capacity[last_tier()] == EK_UNLIMITED ||
          bytes[1] <= left_of(last_tier()));
}

void ek_place_exact(void) {
  if (ek_pages_are_exact())
    return;
  ek_place_lock();
  ek_extents_exact();
  ek_kept_drop_all();
  ek_place_unlock();
}

/* Whether the next object may have the pages as they are. */
static bool may_be_kept(const ek_left *left) {
  return left->layout.kind != EK_LAYOUT_NONE && !ek_pages_are_exact() &&
         !ek_pages_altered((void *)left->base, left->bytes);
}

void ek_place_leave(const ek_left *left) {
  ek_left out = *left;
  ek_kept_answer answer = EK_NOT_KEPT;
  do {
    if (may_be_kept(left)) {
      pthread_mutex_lock(&lock);
      out = *left;
      answer = fits(left) ? ek_kept_put(left, &out) : EK_NOT_KEPT;
      pthread_mutex_unlock(&lock);
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

/* What is said of a new object. */
typedef struct word {
  ek_plan_object *entry;
  uint8_t percent;
  bool pinned;
} word;

/* Whether the object's size is none of those that the entry was made for; noise
 * is as for the planner (SizeTolerance). */
static bool is_other_size(const ek_plan_object *entry, size_t bytes) {
  static const double tolerance = 0.05;
  return entry->most_bytes > 0 &&
         ((double)bytes < entry->least_bytes * (1 - tolerance) ||
          (double)bytes > entry->most_bytes * (1 + tolerance));
}

static word ask(const ek_object *o, unsigned percent) {
  bool pinned = percent >= EK_PIN && percent <= EK_PIN + 100;
  if (pinned)
    percent -= EK_PIN;
  const ek_plan *plan = ek_plan_of_now();
  ek_plan_object *entry = NULL;
  if (plan && !plan->keeps_first_touch)
    entry = find_entry(plan, o);
  if (plan && !plan->keeps_first_touch)
    ek_unsure_count(plan, entry, o);
  if (plan && o->site && !pinned && percent > 100 &&
      (plan->keeps_first_touch ? plan->all_fits && !find_entry(plan, o)
                               : !entry))
    ek_unlike_object();
  if (entry) {
    __atomic_store_n(&entry->used, true, __ATOMIC_RELAXED);
    if (is_other_size(entry, o->bytes)) {
      ek_count(EK_WHY_other_size, 1);
      ek_tell_departed();
    }
  }
  if (pinned) /* what people wrote wins */
    entry = NULL;
  return (word){entry, percent <= 100 ? (uint8_t)percent : EK_NO_FAST, pinned};
}

/* Of an object that has got its pages. */
static void count_word(word w) {
  bool by_call = w.percent <= 100;
  if ((w.entry || by_call) && ek_tier_count == 1)
    ek_count(EK_WHY_one_tier, 1);
  if (w.entry)
    ek_add(planned, 1);
  else if (w.pinned)
    ek_add(pinned, 1);
  else if (by_call)
    ek_add(by_call, 1);
  else
    ek_add(unplanned, 1);
}

/* Passes go over all records, also of objects that are being made: under the
 * lock. */
static void follow(ek_object *o, word w) {
  o->plan = w.entry;
  o->percent = w.percent;
  o->pinned = w.pinned;
}

void ek_place(ek_object *o, unsigned percent) {
  word w = ask(o, percent);
  pthread_mutex_lock(&lock);
  follow(o, w);
  place_pages(o);
  count_objects(o);
  count_word(w);
  tell_placed(o);
  pthread_mutex_unlock(&lock);
}

bool ek_place_own(ek_object *o, unsigned percent, size_t align, bool *zeroed) {
  word w = ask(o, percent);
  pthread_mutex_lock(&lock);
  follow(o, w);
  bool ok = own_pages(o, align, zeroed);
  if (ok) {
    count_objects(o);
    count_word(w);
    tell_placed(o);
  }
  pthread_mutex_unlock(&lock);
  return ok;
}

bool ek_place_again(ek_object *o, size_t bytes) {
  bool zeroed;
  pthread_mutex_lock(&lock);
  size_t old = o->bytes;
  o->bytes = bytes;
  bool ok = own_pages(o, 1, &zeroed);
  if (ok)
    tell_placed(o);
  else
    o->bytes = old;
  pthread_mutex_unlock(&lock);
  return ok;
}

bool ek_place_can_resize(const ek_object *o) {
  if (ek_tier_count == 1)
    return true;
  pthread_mutex_lock(&lock);
  bool accounted = o->accounted;
  pthread_mutex_unlock(&lock);
  return !accounted;
}

void ek_place_resized(ek_object *o) {
  size_t bytes = ek_page_span(o->base, o->bytes);
  if (ek_tier_count > 1)
    return; /* it was not accounted: see ek_place_can_resize */
  pthread_mutex_lock(&lock);
  ek_place_give(0, o->fast_pages * EK_PAGE_BYTES);
  o->fast_pages = 0;
  charge(o, 0, pages_of(ek_place_take_anyway(0, bytes)));
  pthread_mutex_unlock(&lock);
}

void ek_place_moved(ek_object *o) {
  pthread_mutex_lock(&lock);
  place_pages(o);
  tell_placed(o);
  pthread_mutex_unlock(&lock);
}

bool ek_unplace(ek_object *o) {
  tell_released(o);
  pthread_mutex_lock(&lock);
  bool placed = o->accounted && ek_tier_count > 1;
  release_pages(o);
  pthread_mutex_unlock(&lock);
  return placed;
}
