/*===- pass.c - one pass over misplaced pages ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See pass.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/moves/pass.h"
#include "core/events.h"
#include "core/options.h"
#include "core/reserved.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "objects/object.h"
#include "placement/books.h"
#include "placement/groups.h"
#include "placement/in_force.h"
#include "placement/kept.h"
#include "placement/moves/batch.h"
#include "placement/moving.h"
#include "placement/walk.h"
#include "placement/wish.h"
#include "ranks/board.h"

/* Pages that one pass may sample, apart from objects it queries completely. */
enum {
  LOOK_PAGES_OF_A_PASS = EK_PASS_LOOKS * EK_LOOK_PAGES,
  MOST_WAITING_LOOKED_AT = 64 /* for each batch that leaves */
};

static uint32_t pass_number;
static size_t victims; /* only groups before this may make room in this pass */
static ek_plan *(*plan_again)(void);

void ek_pass_plan_by(ek_plan *(*again)(void)) { plan_again = again; }

static unsigned slow_tier(void) { return ek_tier_count - 1; }

/* Some pages of \p o were not touched yet: schedules another look. */
static void look_later(ek_object *o) {
  o->unseen = o->looked = true;
  ek_moving_look_later();
}

/* Ends the work on \p o, unless it is being freed. */
static void settle(ek_object *o) {
  if (ek_moving.current != o || o->leaving)
    return;
  ek_moving.current = NULL;
  ek_place_list(o);
}

/* The same, but it keeps its place among those that wait: the first half of
 * the pass has yet to visit it. */
static void settle_in_place(ek_object *o) {
  if (ek_moving.current != o || o->leaving)
    return;
  ek_moving.current = NULL;
  if (!ek_place_waits(o))
    ek_place_list(o);
}

/* --- one object --------------------------------------------------------------
 */

/* The next pages of the walk, from a single huge page, that are wanted in the
 * fast tier (if \p fast) or in the slow one. 0: no more. */
static size_t next_pages(ek_walk *w, bool fast, void **out) {
  size_t count = 0;
  uintptr_t page, block = 0;
  bool wish;
  for (;;) {
    ek_walk before = *w;
    if (!ek_walk_next(w, &page, &wish))
      return count;
    if (wish != fast)
      continue;
    if (count && page / EK_HUGE_BYTES != block) {
      *w = before;
      return count;
    }
    block = page / EK_HUGE_BYTES;
    out[count++] = (void *)page;
  }
}

/* The number of pages wanted in the fast tier. */
static size_t wished_pages(const ek_object *o) {
  size_t count = 0;
  uintptr_t page;
  bool fast;
  ek_walk w;
  ek_walk_start(&w, o);
  while (ek_walk_next(&w, &page, &fast))
    count += fast;
  return count;
}

/* Whether the gain the plan states for \p o exceeds the measured cost of moving
 * plus the loss of the objects that make room (\p lost, seconds per byte). */
static bool worth_moving(const ek_object *o, double lost) {
  uint64_t pages = ek_get(moved_pages);
  if (!o->plan || o->plan->gain_s <= 0 || !pages)
    return true; /* no gain is known, or nothing has moved yet */
  double page_s = (double)ek_get(move_ns) / (double)pages * 1e-9;
  double wanted = (double)o->fast_pages + o->short_pages;
  double gain = o->plan->gain_s * (o->short_pages / wanted);
  double cost = page_s * o->short_pages * (lost > 0 ? 2 : 1);
  return cost + lost * o->short_pages * EK_PAGE_BYTES <= gain;
}

static bool has_fast_room(void) {
  size_t got = ek_place_take(0, EK_PAGE_BYTES);
  ek_place_give(0, got);
  return got != 0;
}

/* Moves pages of \p o into the fast tier. Returns false to end the pass. */
static bool promote(ek_object *o, ek_pass *p) {
  void *ask[EK_BATCH];
  size_t count, left = 0, moved = 0;
  bool all = false, out_of_room = false;
  ek_walk w;
  ek_moving.current = o;
  if (ek_moving.resume.object == o)
    w = ek_moving.resume.walk;
  else
    ek_walk_start(&w, o);
  ek_moving.resume.object = NULL;
  for (;;) {
    if (p->budget < EK_PAGE_BYTES || p->no_memory || !has_fast_room()) {
      out_of_room = true;
      ek_moving.resume.object =
          p->budget < EK_PAGE_BYTES || p->fills ? o : NULL;
      ek_moving.resume.walk = w;
      break;
    }
    ek_walk before = w;
    all = (count = next_pages(&w, true, ask)) == 0;
    if (all)
      break;
    size_t so_far = moved, others = left;
    bool there =
        ek_batch_move(o, ask, count, EK_ELSEWHERE, 0, p, &left, &moved);
    if (!there && (ek_moving.current != o || o->leaving))
      return !ek_batch_refused && !p->cancelled;
    size_t now = moved - so_far;
    o->short_pages -= now < o->short_pages ? (uint32_t)now : o->short_pages;
    if (left > others)
      w = p->budget < EK_PAGE_BYTES || p->fills ? before : w;
    if (p->fills && !now && left > others) { /* refused, or no room */
      out_of_room = p->fills_no_more = true;
      break;
    }
    if (!there)
      break;
  }
  if (all && left == 0)
    o->short_pages = 0;
  if (moved)
    o->tries = 0;
  else if (!out_of_room && ++o->tries == EK_MOVE_TRIES)
    o->short_pages = 0; /* the system refused all its pages repeatedly */
  if (all && o->short_pages)
    ek_moving_pending(); /* some pages were refused: try again */
  if (p->fills)
    settle_in_place(o);
  else
    settle(o);
  return !p->no_memory && !ek_batch_refused && !p->cancelled;
}

/* The object of most worth that waits for room; or NULL, also if \p o, from
 * which pages are leaving, is worth more. Of an object that is not recounted
 * yet, at least the pages beyond those it has in the fast tier are missing. */
static ek_object *best_waiting(const ek_object *o, ek_pass *p) {
  size_t g, looked = 0;
  for (; (g = ek_groups_from(EK_SHORT, p->best)) != EK_NO_GROUP;
       p->best = g + 1)
    for (ek_object *in = ek_groups_at(g)->first[EK_SHORT - 1]; in;
         in = in->next) {
      if (++looked > MOST_WAITING_LOOKED_AT) {
        p->fills_no_more = true; /* the second half finds it */
        return NULL;
      }
      if (in->leaving)
        continue;
      if (in->recheck) {
        const size_t wished = ek_walk_wished(in);
        in->short_pages =
            (uint32_t)(wished > in->fast_pages ? wished - in->fast_pages : 0);
      }
      if (in->short_pages && worth_moving(in, 0))
        return in == o ? NULL : in;
    }
  return NULL;
}

/* Between two batches of \p o that leave the fast tier: moves others into the
 * room. Returns false if \p o is gone or the pass must end. */
static bool fill_room(ek_object *o, ek_pass *p) {
  bool on = true;
  const bool no_memory = p->no_memory;
  p->fills = true;
  ek_moving.waiting = o;
  while (on && ek_moving.waiting == o && !p->fills_no_more &&
         p->budget >= EK_PAGE_BYTES && has_fast_room()) {
    ek_object *in = best_waiting(o, p);
    const size_t budget = p->budget;
    on = in && promote(in, p);
    if (in && (p->budget == budget || p->no_memory))
      p->fills_no_more = true; /* the second half tries again */
  }
  p->fills = false;
  p->no_memory = no_memory;
  const bool there = ek_moving.waiting == o;
  ek_moving.waiting = NULL;
  if (there)
    ek_moving.current = o;
  return there && !ek_batch_refused && !p->cancelled;
}

/* Moves pages that the plan no longer wants out of the fast tier, and counts
 * those that are wanted there but lie elsewhere: by the accounts or, for an
 * unseen object, by query. Untouched pages follow their policy; that is
 * outdated only if the plan has changed. Returns false to end the pass. */
static bool demote_and_recount(ek_object *o, ek_pass *p) {
  void *ask[EK_BATCH];
  int tiers[EK_BATCH];
  size_t count, left = 0, moved = 0, missing = 0, elsewhere = 0, wished = 0;
  ek_walk w;
  ek_moving.current = o;
  if (o->recheck) {
    ek_walk_start(&w, o);
    while ((count = next_pages(&w, false, ask))) {
      if (p->budget < EK_PAGE_BYTES)
        return settle(o), false;
      if (!ek_batch_move(o, ask, count, 0, slow_tier(), p, &left, &moved))
        return settle(o), !ek_batch_refused && !p->cancelled;
      if (!fill_room(o, p))
        return settle(o), !ek_batch_refused && !p->cancelled;
    }
    if (!o->unseen) {
      size_t wished = wished_pages(o);
      size_t there = o->fast_pages > left ? o->fast_pages - left : 0;
      o->short_pages = (uint32_t)(wished > there ? wished - there : 0);
      o->recheck = false;
      o->tries = 0;
      return settle(o), true;
    }
  }
  if (!o->recheck) {
    ek_look seen;
    if (p->looked_at >= LOOK_PAGES_OF_A_PASS)
      return look_later(o), settle(o), true;
    if (!ek_batch_glance(o, p, &seen))
      return settle(o), !ek_batch_refused && !p->cancelled;
    if (!seen.elsewhere && !o->short_pages) {
      o->unseen = o->looked = false;
      if (seen.untouched)
        look_later(o);
      return settle(o), true;
    }
  }
  ek_walk_start(&w, o);
  while ((count = next_pages(&w, true, ask))) {
    if (!ek_batch_look(o, ask, count, tiers, p))
      return settle(o), !ek_batch_refused && !p->cancelled;
    wished += count;
    for (size_t i = 0; i < count; ++i) {
      missing += tiers[i] < 0;
      elsewhere += tiers[i] > 0;
    }
  }
  const size_t known = wished > o->fast_pages ? wished - o->fast_pages : 0;
  if (o->recheck) {
    elsewhere += missing;
  } else if (elsewhere > known) {
    size_t more = elsewhere - known;
    ek_count(EK_WHY_not_there, more);
    /* Correct the accounts by what the system reports. */
    more = more < o->fast_pages ? more : o->fast_pages;
    ek_place_take_anyway(slow_tier(), more * EK_PAGE_BYTES);
    ek_place_arrived(o, slow_tier(), more);
  }
  o->short_pages = (uint32_t)elsewhere;
  const bool untouched = missing && !o->recheck;
  o->recheck = o->unseen = o->looked = false;
  if (untouched)
    look_later(o);
  o->tries = 0;
  return settle(o), true;
}

/* Moves \p bytes of \p o out of the fast tier, starting with its last pages.
 * Returns the bytes that moved. */
static size_t demote(ek_object *o, size_t bytes, ek_pass *p) {
  void *ask[EK_BATCH];
  uintptr_t from, at;
  size_t left = 0, out = 0;
  bool wished = o->plan || o->percent != EK_NO_FAST;
  ek_place_pages(o, &from, &at);
  if (ek_moving.resume.object == o)
    ek_moving.resume.object = NULL;
  ek_moving.current = o;
  bool there = true;
  while (there && at > from && out < bytes && p->budget >= EK_PAGE_BYTES) {
    uintptr_t block = (at - 1) & ~(EK_HUGE_BYTES - 1);
    block = block > from ? block : from;
    size_t count = (at - block) / EK_PAGE_BYTES, moved = 0;
    size_t enough = (bytes - out + EK_PAGE_BYTES - 1) / EK_PAGE_BYTES;
    count = count < enough ? count : enough;
    for (size_t i = 0; i < count; ++i) {
      at -= EK_PAGE_BYTES;
      ask[count - 1 - i] = (void *)at;
    }
    there = ek_batch_move(o, ask, count, 0, slow_tier(), p, &left, &moved);
    out += moved * EK_PAGE_BYTES;
    if (there && wished)
      o->short_pages += (uint32_t)moved;
  }
  settle(o);
  return out;
}

/* The next object of the group that may make room in this pass, or NULL. */
static ek_object *first_unvisited(const ek_group *g) {
  for (unsigned list = 2; list--;)
    for (ek_object *o = g->first[list]; o; o = o->next)
      if (o->fast_pages && !o->leaving && o->pass != pass_number)
        return o;
  return NULL;
}

/* The object of least worth that may make room for one of worth \p worth, or
 * NULL; *its is set to its worth. Groups whose objects the pass has all visited
 * are skipped from then on. */
static ek_object *find_victim(double worth, double *its) {
  while (worth > 0) {
    const size_t shorts = ek_groups_before(EK_SHORT, victims),
                 content = ek_groups_before(EK_CONTENT, victims),
                 last = shorts == EK_NO_GROUP    ? content
                        : content == EK_NO_GROUP ? shorts
                        : shorts > content       ? shorts
                                                 : content;
    if (last == EK_NO_GROUP)
      return NULL;
    const ek_group *g = ek_groups_at(last);
    if (!(g->worth * EK_DISPLACING_WORTH < worth))
      return NULL;
    ek_object *o = first_unvisited(g);
    *its = g->worth;
    if (o)
      return o;
    victims = last;
  }
  return NULL;
}

/* Moves objects of less worth out to make room for \p o. Returns false if \p o
 * is gone or no room was made. */
static bool make_room(ek_object *o, double worth, ek_pass *p) {
  size_t out = 0, bytes = (size_t)o->short_pages * EK_PAGE_BYTES;
  ek_moving.waiting = o;
  while (ek_moving.waiting == o && out < bytes && p->budget >= EK_PAGE_BYTES) {
    double its = 0;
    ek_object *victim = find_victim(worth, &its);
    if (!victim || !worth_moving(o, its > 0 ? its : 0))
      break;
    victim->pass = pass_number; /* visited, whether or not it moves */
    out += demote(victim, bytes - out, p);
    if (ek_batch_refused || p->cancelled)
      break;
  }
  bool still_there = ek_moving.waiting == o;
  ek_moving.waiting = NULL;
  return still_there && out > 0 && !ek_batch_refused && !p->cancelled;
}

/* --- one pass ----------------------------------------------------------------
 */

static void recheck(ek_object *o, void *data) {
  ek_plan_object *entry = data;
  if (o->plan != entry || !o->accounted || o->pinned)
    return;
  o->recheck = true;
  o->as_placed = false;
  ek_place_list(o);
}

/* Under the locks of objects and of placement. */
static void follow_plan(ek_object *o, void *plan) { ek_place_follow(o, plan); }

/* Applies the plan's changes up to the current phase. */
static void change_plan(void) {
  ek_plan *plan = ek_plan_now;
  if (!plan || plan->keeps_first_touch ||
      plan->changes_done == plan->change_count ||
      ek_opt.every_hook) /* each hook decides by itself */
    return;
  uint32_t phase = ek_moving_phase();
  if (plan->changes[plan->changes_done].phase > phase)
    return;
  ek_objects_lock();
  ek_place_lock();
  while (plan->changes_done < plan->change_count &&
         plan->changes[plan->changes_done].phase <= phase) {
    ek_plan_change *c = &plan->changes[plan->changes_done];
    __atomic_store_n(&plan->changes_done, plan->changes_done + 1,
                     __ATOMIC_RELAXED);
    if (ek_plan_change_now(c))
      ek_objects_each_locked(follow_plan, plan);
    ek_objects_each_locked(recheck, c->entry);
    ek_moving.resume.object = NULL;
    ek_add(plan_changes, 1);
  }
  ek_groups_order();
  ek_place_unlock();
  ek_objects_unlock();
}

static void relist(ek_object *o, void *unused) {
  (void)unused;
  if (!o->looked)
    return;
  o->looked = false;
  ek_place_list(o);
}

/* Looks again at objects that had untouched pages, if that is due. */
static void look_again_if_due(void) {
  if (!ek_moving_looks_again())
    return;
  ek_objects_lock();
  ek_place_lock();
  ek_objects_each_locked(relist, NULL);
  ek_place_unlock();
  ek_objects_unlock();
}

/* Plans again if requested, and puts the new plan into force. */
static void replan(void) {
  if (!ek_moving_replans() || !plan_again)
    return;
  ek_plan *next = plan_again();
  if (!next || !ek_place_add_groups(next))
    return;
  ek_objects_lock();
  ek_place_lock();
  ek_objects_each_locked(follow_plan, next);
  __atomic_store_n(&ek_plan_now, next, __ATOMIC_RELEASE);
  ek_tell_plan_changed();
  ek_moving.resume.object = NULL;
  ek_groups_order();
  ek_place_unlock();
  ek_objects_unlock();
}

/* The first object of a group that this pass has not visited, now at the end of
 * its list; or NULL. */
static ek_object *next_of(ek_group *g) {
  ek_object *o = g->first[EK_SHORT - 1];
  while (o && o->leaving)
    o = o->next;
  if (!o || o->pass == pass_number)
    return NULL;
  o->pass = pass_number;
  ek_place_list(o);
  return o;
}

static void run(ek_pass *p) {
  ek_object *o;
  ++pass_number;
  for (size_t g = SIZE_MAX; (g = ek_groups_before(EK_SHORT, g)) != EK_NO_GROUP;)
    while ((o = next_of(ek_groups_at(g))))
      if ((o->recheck || (o->unseen && !o->looked)) &&
          !demote_and_recount(o, p))
        return;
  ++pass_number;
  victims = SIZE_MAX;
  for (size_t g = 0; (g = ek_groups_from(EK_SHORT, g)) != EK_NO_GROUP; ++g)
    while ((o = next_of(ek_groups_at(g)))) {
      if (!o->short_pages) {
        continue; /* became unseen after the first half */
      } else if (!worth_moving(o, 0)) {
        ek_count(EK_WHY_move_not_worth, 1);
        o->short_pages = 0;
        ek_place_list(o);
      } else if (has_fast_room() || make_room(o, ek_groups_at(g)->worth, p)) {
        if (o->list == EK_SHORT && !promote(o, p))
          return;
      } else if (ek_batch_refused || p->cancelled) {
        return;
      }
    }
}

/* Only checks where pages lie, if none may move. */
static void look_only(ek_pass *p) {
  ek_object *o;
  size_t g = SIZE_MAX;
  bool on = true;
  ++pass_number;
  ek_place_lock();
  while (on && (g = ek_groups_before(EK_SHORT, g)) != EK_NO_GROUP)
    while (on && (o = next_of(ek_groups_at(g))))
      if (o->unseen && !o->looked && !o->recheck)
        on = demote_and_recount(o, p);
  ek_place_unlock();
}

/* Whether any object waits for room in the fast tier. Takes the lock. */
static bool is_short(void) {
  ek_place_lock();
  bool any = ek_groups_any(EK_SHORT);
  ek_place_unlock();
  return any;
}

void ek_pass_run(bool beside) {
  __atomic_store_n(&ek_migrate_pending, 0, __ATOMIC_RELAXED);
  change_plan();
  replan();
  look_again_if_due();
  ek_pass p = {
      .budget = ek_opt.migrate, .beside = beside, .started = ek_batch_ns()};
  if (p.budget < EK_PAGE_BYTES || ek_batch_refused) {
    look_only(&p);
    if (ek_board_on) /* other ranks need not wait for this one */
      ek_board_settled();
    return;
  }
  ek_place_lock();
  run(&p);
  if (p.budget >= EK_PAGE_BYTES)
    ek_moving.resume.object = NULL; /* where room was filled from */
  if (p.budget < EK_PAGE_BYTES && !ek_batch_refused && !p.cancelled) {
    ek_count(EK_WHY_move_budget, 1);
    ek_moving_pending();
  }
  if (p.no_memory && ek_kept_bytes(0)) {
    ek_kept_drop_all(); /* retained memory may be what is missing */
    ek_moving_pending();
  }
  ek_place_unlock();
  ek_add(move_passes, 1);
  if (!__atomic_load_n(&ek_migrate_pending, __ATOMIC_RELAXED)) {
    ek_tell_plan_settled();
    if (ek_board_on && !is_short())
      ek_board_settled();
  }
}
