/*===- migrate.c - passes, batches, and the helper thread ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the lock of place.h guards everything but the batch itself: room in
 * the target tier is taken before it and what did not arrive is given back, so
 * that the books are right at any time and nothing is in a tier twice. An
 * object that is freed meanwhile waits for one batch and leaves (cancellation).
 * Order of a pass: what the plan wants out of the fast tier, then promotions by
 * worth; where no room is left, pages worth clearly less go first.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/migrate.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/stats.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "objects/extent.h"
#include "placement/groups.h"
#include "placement/look.h"
#include "placement/place.h"
#include "providers/provider.h"
#include "ranks/board.h"
#include "ranks/share.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3 }; /* passes in a row without success, per object */
static const double margin = 1.25; /* worth of those who push others out */

int ek_migrate_pending;

static ek_object *current; /* the pass is at it */
static ek_object *waiting; /* the pass makes room for it */
static struct {            /* where a pass ended that had used up its budget */
  ek_object *object;
  ek_walk walk;
} resume;
static bool busy;    /* a batch of it is under way, without the lock */
static bool refused; /* for good: the system forbids it */
static pthread_cond_t batch_done = PTHREAD_COND_INITIALIZER;
static uint32_t pass_number;
static size_t victims;     /* groups before it may make room in this pass */
static uint32_t phase_now; /* of the plan: changes up to it are due */
static int replan_wanted;
/* Phases that have ended; and at which of them pages are looked at again that
 * were not touched when a look came (0: none): after a pause that doubles until
 * another object is placed. */
static uint64_t phases_over, look_again, look_pause = 1;
/* Pages that one pass looks at, objects looked at by all their pages apart. */
enum { LOOK_PAGES_OF_A_PASS = 8 * EK_LOOK_PAGES };

/* One at a time: the helper's passes, or a hook's. */
static pthread_mutex_t pass_lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
  pthread_t thread;
  sem_t wake;
  bool runs, failed;
  int stop, asked;
  pid_t owner; /* a child of fork has no helper */
} helper;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

typedef struct pass {
  size_t budget;  /* bytes that may still move */
  bool no_memory; /* the fast nodes have less room than the books */
  bool cancelled;
  size_t looked_at;        /* pages */
  uint64_t started, moved; /* for the rate; bytes */
} pass;

static unsigned slow_tier(void) { return ek_tier_count - 1; }

static void pending(void) {
  __atomic_store_n(&ek_migrate_pending, 1, __ATOMIC_RELEASE);
}

/* --- one batch ---------------------------------------------------------------
 */

void ek_migrate_leave(ek_object *o, pthread_mutex_t *lock) {
  o->leaving = true;
  if (busy && current == o) {
    uint64_t start = now_ns();
    while (busy && current == o)
      pthread_cond_wait(&batch_done, lock);
    ek_add(waited_ns, now_ns() - start);
  }
  if (current == o) {
    current = NULL;
    ek_add(move_cancelled, 1);
  }
  if (waiting == o)
    waiting = NULL;
  if (resume.object == o)
    resume.object = NULL;
}

static void begin_batch(ek_object *o) {
  current = o;
  busy = true;
  ek_place_unlock();
}

static void end_batch(void) {
  ek_place_lock();
  busy = false;
  pthread_cond_broadcast(&batch_done);
}

static bool is_there(const ek_object *o, const pass *p) {
  return current == o && !o->leaving && !refused && !p->cancelled;
}

static void count_refusals(const int *status, size_t count, pass *p) {
  size_t denied = 0;
  for (size_t i = 0; i < count; ++i)
    switch (status[i]) {
    case 0:
      break;
    case EBUSY:
    case EAGAIN:
      ek_count(EK_WHY_move_busy, 1);
      break;
    case ENOMEM:
      p->no_memory = true;
      ek_count(EK_WHY_move_no_memory, 1);
      break;
    case EACCES:
      ek_count(EK_WHY_move_shared, 1);
      break;
    case EPERM:
    case ENOSYS:
      ++denied;
      ek_count(EK_WHY_move_denied, 1);
      break;
    default:
      ek_count(EK_WHY_move_refused, 1);
    }
  if (count && denied == count)
    refused = true; /* the call itself: the next would fare the same */
}

static bool on_helper(void) {
  return helper.runs && pthread_equal(pthread_self(), helper.thread);
}

/* Keeps the helper below its share of the memory's bandwidth. Without the
 * lock. */
static void wait_for_rate(const pass *p) {
  if (!ek_opt.migrate_rate || !on_helper())
    return;
  uint64_t due = p->started + (uint64_t)((double)p->moved * 1e9 /
                                         (double)ek_opt.migrate_rate);
  uint64_t now;
  while ((now = now_ns()) < due &&
         !__atomic_load_n(&helper.stop, __ATOMIC_RELAXED)) {
    uint64_t ns = due - now < 10000000 ? due - now : 10000000;
    nanosleep(&(struct timespec){0, (long)ns}, NULL);
  }
}

static void tell_moved(const ek_object *o, unsigned from, unsigned to,
                       size_t pages, size_t refused, uint64_t ns) {
  EK_PROBE4(move, o->site, to, pages, refused);
  if (!ek_hears(moved))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_moved(&told, from < EK_MAX_TIERS ? (int)from : -1, to, pages, refused,
                ns);
}

/* Moves those of the pages in ask[] that lie in \p from (or, where that is
 * EK_ELSEWHERE, not in \p to) as far as room and budget reach. False: the
 * object is gone, or the pass has to end. *left: pages that stay where they
 * are. */
#define EK_ELSEWHERE EK_MAX_TIERS
static bool step(ek_object *o, void **ask, size_t count, unsigned from,
                 unsigned to, pass *p, size_t *left, size_t *moved_out) {
  void *pages[EK_BATCH];
  int tiers[EK_BATCH], status[EK_BATCH];
  bool touched[EK_BATCH];
  size_t want = 0, moved = 0, fresh = 0;
  size_t bytes = count * EK_PAGE_BYTES;
  size_t taken = ek_place_take(to, bytes < p->budget ? bytes : p->budget);
  taken &= ~(EK_PAGE_BYTES - 1);
  begin_batch(o);

  size_t others = 0, room = taken / EK_PAGE_BYTES;
  ek_provider_now->query(ask, count, tiers);
  for (size_t i = 0; i < count; ++i) {
    bool wrong =
        from == EK_ELSEWHERE ? tiers[i] != (int)to : tiers[i] == (int)from;
    if (wrong && want < room) {
      touched[want] = tiers[i] >= 0;
      pages[want++] = ask[i];
    } else if (wrong) {
      ++others;
    }
  }
  uint64_t start = now_ns();
  if (want) {
    moved = ek_provider_now->move(pages, want, to, status);
    for (size_t i = 0; i < want; ++i)
      fresh += status[i] == 0 && !touched[i]; /* nothing to copy */
    uint64_t took = now_ns() - start;
    ek_add(move_ns, took);
    if (on_helper())
      ek_add(beside_ns, took);
    ek_add(move_calls, 1);
    ek_add(moved_pages, moved - fresh);
    if (to != 0)
      ek_add(demoted_pages, moved - fresh);
    p->moved += (moved - fresh) * EK_PAGE_BYTES;
    tell_moved(o, from, to, moved - fresh, want - moved, took);
  }

  end_batch();
  ek_place_give(to, taken - moved * EK_PAGE_BYTES);
  *moved_out += ek_place_arrived(o, to, moved);
  p->budget -= want * EK_PAGE_BYTES;
  count_refusals(status, want, p);
  *left += others + (want - moved);
  if (p->moved) {
    ek_place_unlock();
    wait_for_rate(p);
    ek_place_lock();
  }
  p->cancelled |= __atomic_load_n(&helper.stop, __ATOMIC_RELAXED) != 0;
  return is_there(o, p);
}

/* Tiers of pages, without the lock meanwhile. False as in step. */
static bool look(ek_object *o, void **ask, size_t count, int *tiers,
                 const pass *p) {
  begin_batch(o);
  ek_provider_now->query(ask, count, tiers);
  end_batch();
  return is_there(o, p);
}

/* Looks at the object, or at some of its pages. False as in step. */
static bool glance(ek_object *o, pass *p, ek_look *seen) {
  void *ask[EK_LOOK_PAGES];
  int tiers[EK_LOOK_PAGES];
  const size_t count = ek_look_pages(o, ask, EK_LOOK_PAGES);
  *seen = (ek_look){0};
  for (size_t at = 0; at < count; at += EK_BATCH) {
    const size_t n = count - at < EK_BATCH ? count - at : EK_BATCH;
    if (!look(o, ask + at, n, tiers + at, p))
      return false;
  }
  ek_look_add(seen, tiers, count);
  p->looked_at += count;
  ek_add(look_pages, seen->there + seen->elsewhere);
  ek_add(look_elsewhere, seen->elsewhere);
  return true;
}

/* Some of its pages were not touched yet: a later look will tell. */
static void look_later(ek_object *o) {
  o->unseen = o->looked = true;
  const uint64_t now = __atomic_load_n(&phases_over, __ATOMIC_RELAXED);
  if (__atomic_load_n(&look_again, __ATOMIC_RELAXED) <= now)
    __atomic_store_n(&look_again,
                     now + __atomic_load_n(&look_pause, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
}

/* Done with the object, if it is still there. */
static void settle(ek_object *o) {
  if (current != o || o->leaving)
    return;
  current = NULL;
  ek_place_list(o);
}

/* --- one object --------------------------------------------------------------
 */

/* The next pages of the walk, of one huge page at most, that are asked for in
 * the fast tier, or not. 0: no more. */
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

/* Pages that are asked for in the fast tier. */
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

/* What the plan does not want in the fast tier any more leaves; what it wants
 * there, but lies elsewhere, is missing from now on: by the books, or where
 * nobody has looked yet, by what the system says. Pages never touched follow
 * their policy, which is an old one only if the plan has changed. False: end
 * the pass. */
static bool level(ek_object *o, pass *p) {
  void *ask[EK_BATCH];
  int tiers[EK_BATCH];
  size_t count, left = 0, moved = 0, missing = 0, elsewhere = 0, wished = 0;
  ek_walk w;
  current = o;
  if (o->recheck) {
    ek_walk_start(&w, o);
    while ((count = next_pages(&w, false, ask))) {
      if (p->budget < EK_PAGE_BYTES)
        return settle(o), false;
      if (!step(o, ask, count, 0, slow_tier(), p, &left, &moved))
        return settle(o), !refused && !p->cancelled;
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
    if (!glance(o, p, &seen))
      return settle(o), !refused && !p->cancelled;
    if (!seen.elsewhere && !o->short_pages) {
      o->unseen = o->looked = false;
      if (seen.untouched)
        look_later(o);
      return settle(o), true;
    }
  }
  ek_walk_start(&w, o);
  while ((count = next_pages(&w, true, ask))) {
    if (!look(o, ask, count, tiers, p))
      return settle(o), !refused && !p->cancelled;
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
    /* The books follow the system. */
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

/* Pages of \p o leave the fast tier, its last ones first, until \p bytes have.
 * Returns the bytes that have left. */
static size_t push_out(ek_object *o, size_t bytes, pass *p) {
  void *ask[EK_BATCH];
  uintptr_t from, at;
  size_t left = 0, out = 0;
  bool wished = o->plan || o->percent != EK_NO_FAST;
  ek_place_pages(o, &from, &at);
  if (resume.object == o)
    resume.object = NULL;
  current = o;
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
    there = step(o, ask, count, 0, slow_tier(), p, &left, &moved);
    out += moved * EK_PAGE_BYTES;
    if (there && wished)
      o->short_pages += (uint32_t)moved;
  }
  settle(o);
  return out;
}

/* Measured cost so far against what the plan says the object gains, less what
 * those lose that make room. */
static bool worth_moving(const ek_object *o, double lost) {
  uint64_t pages = ek_get(moved_pages);
  if (!o->plan || o->plan->gain_s <= 0 || !pages)
    return true; /* no gain stated, or nothing measured yet */
  double page_s = (double)ek_get(move_ns) / (double)pages * 1e-9;
  double wanted = (double)o->fast_pages + o->short_pages;
  double gain = o->plan->gain_s * (o->short_pages / wanted);
  double cost = page_s * o->short_pages * (lost > 0 ? 2 : 1);
  return cost + lost * o->short_pages * EK_PAGE_BYTES <= gain;
}

/* An object of a group that may make room in this pass. */
static ek_object *unmet(const ek_group *g) {
  for (unsigned list = 2; list--;)
    for (ek_object *o = g->first[list]; o; o = o->next)
      if (o->fast_pages && !o->leaving && o->pass != pass_number)
        return o;
  return NULL;
}

/* An object whose pages may make room for those worth \p worth. Groups in which
 * the pass has met all objects are not gone through again. */
static ek_object *least(double worth, double *its) {
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
    if (!(g->worth * margin < worth))
      return NULL;
    ek_object *o = unmet(g);
    *its = g->worth;
    if (o)
      return o;
    victims = last;
  }
  return NULL;
}

/* Makes room for \p o, if others are worth less. False: it is gone, or there is
 * none. */
static bool make_room(ek_object *o, double worth, pass *p) {
  size_t out = 0, bytes = (size_t)o->short_pages * EK_PAGE_BYTES;
  waiting = o;
  while (waiting == o && out < bytes && p->budget >= EK_PAGE_BYTES) {
    double its = 0;
    ek_object *victim = least(worth, &its);
    if (!victim || !worth_moving(o, its > 0 ? its : 0))
      break;
    victim->pass = pass_number; /* met, whether or not it moves */
    out += push_out(victim, bytes - out, p);
    if (refused || p->cancelled)
      break;
  }
  bool still_there = waiting == o;
  waiting = NULL;
  return still_there && out > 0 && !refused && !p->cancelled;
}

static bool room(void) {
  size_t got = ek_place_take(0, EK_PAGE_BYTES);
  ek_place_give(0, got);
  return got != 0;
}

/* False: end the pass. */
static bool promote(ek_object *o, pass *p) {
  void *ask[EK_BATCH];
  size_t count, left = 0, moved = 0;
  bool all = false, out_of_room = false;
  ek_walk w;
  current = o;
  if (resume.object == o)
    w = resume.walk;
  else
    ek_walk_start(&w, o);
  resume.object = NULL;
  for (;;) {
    if (p->budget < EK_PAGE_BYTES || p->no_memory || !room()) {
      out_of_room = true;
      resume.object = p->budget < EK_PAGE_BYTES ? o : NULL;
      resume.walk = w;
      break;
    }
    ek_walk before = w;
    all = (count = next_pages(&w, true, ask)) == 0;
    if (all)
      break;
    size_t so_far = moved, others = left;
    bool there = step(o, ask, count, EK_ELSEWHERE, 0, p, &left, &moved);
    if (!there && (current != o || o->leaving))
      return !refused && !p->cancelled;
    size_t now = moved - so_far;
    o->short_pages -= now < o->short_pages ? (uint32_t)now : o->short_pages;
    if (left > others)
      w = p->budget < EK_PAGE_BYTES ? before : w;
    if (!there)
      break;
  }
  if (all && left == 0)
    o->short_pages = 0;
  if (moved)
    o->tries = 0;
  else if (!out_of_room && ++o->tries == TRIES)
    o->short_pages = 0; /* every page of it was refused, again and again */
  if (all && o->short_pages)
    pending(); /* refused for now */
  settle(o);
  return !p->no_memory && !refused && !p->cancelled;
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

/* Under the locks of objects and places. */
static void follow_plan(ek_object *o, void *plan) { ek_place_follow(o, plan); }

/* Changes of the plan up to the phase that runs. */
static void change_plan(void) {
  ek_plan *plan = ek_plan_now;
  if (!plan || plan->keeps_first_touch ||
      plan->changes_done == plan->change_count)
    return;
  uint32_t phase = __atomic_load_n(&phase_now, __ATOMIC_RELAXED);
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
    resume.object = NULL;
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

/* Pages that were not touched may be by now. */
static void look_at_the_rest(void) {
  const uint64_t at = __atomic_load_n(&look_again, __ATOMIC_RELAXED);
  if (!at || at > __atomic_load_n(&phases_over, __ATOMIC_RELAXED))
    return;
  __atomic_store_n(&look_again, 0, __ATOMIC_RELAXED);
  const uint64_t pause = __atomic_load_n(&look_pause, __ATOMIC_RELAXED);
  __atomic_store_n(&look_pause, 2 * pause, __ATOMIC_RELAXED);
  ek_objects_lock();
  ek_place_lock();
  ek_objects_each_locked(relist, NULL);
  ek_place_unlock();
  ek_objects_unlock();
}

/* The plan for the rest of the run is another one. */
static void replan(void) {
  if (!__atomic_exchange_n(&replan_wanted, 0, __ATOMIC_ACQUIRE))
    return;
  ek_plan *next = ek_replan();
  if (!next || !ek_place_add_groups(next))
    return;
  ek_objects_lock();
  ek_place_lock();
  ek_objects_each_locked(follow_plan, next);
  __atomic_store_n(&ek_plan_now, next, __ATOMIC_RELEASE);
  ek_balance_unsettled();
  resume.object = NULL;
  ek_groups_order();
  ek_place_unlock();
  ek_objects_unlock();
}

/* The first of a list that this pass has not met; it goes behind the others. */
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

static void run(pass *p) {
  ek_object *o;
  ++pass_number;
  for (size_t g = SIZE_MAX; (g = ek_groups_before(EK_SHORT, g)) != EK_NO_GROUP;)
    while ((o = next_of(ek_groups_at(g))))
      if ((o->recheck || (o->unseen && !o->looked)) && !level(o, p))
        return;
  ++pass_number;
  victims = SIZE_MAX;
  for (size_t g = 0; (g = ek_groups_from(EK_SHORT, g)) != EK_NO_GROUP; ++g)
    while ((o = next_of(ek_groups_at(g)))) {
      if (!o->short_pages) {
        continue; /* it came to be seen after the first half */
      } else if (!worth_moving(o, 0)) {
        ek_count(EK_WHY_move_not_worth, 1);
        o->short_pages = 0;
        ek_place_list(o);
      } else if (room() || make_room(o, ek_groups_at(g)->worth, p)) {
        if (o->list == EK_SHORT && !promote(o, p))
          return;
      } else if (refused || p->cancelled) {
        return;
      }
    }
}

/* Looks only, where nothing may move. */
static void look_around(pass *p) {
  ek_object *o;
  size_t g = SIZE_MAX;
  bool on = true;
  ++pass_number;
  ek_place_lock();
  while (on && (g = ek_groups_before(EK_SHORT, g)) != EK_NO_GROUP)
    while (on && (o = next_of(ek_groups_at(g))))
      if (o->unseen && !o->looked && !o->recheck)
        on = level(o, p);
  ek_place_unlock();
}

static void one_pass(void) {
  __atomic_store_n(&ek_migrate_pending, 0, __ATOMIC_RELAXED);
  change_plan();
  replan();
  look_at_the_rest();
  pass p = {.budget = ek_opt.migrate, .started = now_ns()};
  if (p.budget < EK_PAGE_BYTES || refused) {
    look_around(&p);
    if (ek_board_on) /* the others need not wait for this rank */
      ek_board_settled();
    return;
  }
  ek_place_lock();
  run(&p);
  if (p.budget < EK_PAGE_BYTES && !refused && !p.cancelled) {
    ek_count(EK_WHY_move_budget, 1);
    pending();
  }
  if (p.no_memory && ek_kept_bytes(0)) {
    ek_kept_drop_all(); /* it may be what is missing */
    pending();
  }
  ek_place_unlock();
  ek_add(move_passes, 1);
  if (!__atomic_load_n(&ek_migrate_pending, __ATOMIC_RELAXED)) {
    ek_balance_settled();
    if (ek_board_on && !ek_place_short())
      ek_board_settled();
  }
}

void ek_migrate_pass(void) {
  if (pthread_mutex_trylock(&pass_lock) != 0)
    return;
  one_pass();
  pthread_mutex_unlock(&pass_lock);
}

/* --- the helper --------------------------------------------------------------
 */

static void *help(void *unused) {
  (void)unused;
  for (;;) {
    while (sem_wait(&helper.wake) != 0)
      ;
    if (__atomic_load_n(&helper.stop, __ATOMIC_ACQUIRE))
      return NULL;
    pthread_mutex_lock(&pass_lock);
    __atomic_store_n(&helper.asked, 0, __ATOMIC_RELEASE);
    one_pass();
    pthread_mutex_unlock(&pass_lock);
  }
}

void ek_migrate_wait(void) {
  bool more = true;
  while (more) {
    pthread_mutex_lock(&pass_lock);
    more = __atomic_load_n(&helper.asked, __ATOMIC_ACQUIRE);
    pthread_mutex_unlock(&pass_lock);
    if (more)
      sched_yield();
  }
}

/* No signal of the program's is handled there. It runs where the thread that
 * started it may run: a bound one binds it as well. */
static bool start_new(void) {
  helper.owner = getpid();
  helper.runs = false;
  helper.stop = helper.asked = 0;
  if (sem_init(&helper.wake, 0, 0) != 0)
    return false;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  helper.runs = pthread_create(&helper.thread, &attributes, help, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (helper.runs)
    pthread_setname_np(helper.thread, "evenkeel-move");
  else
    ek_count(EK_WHY_no_helper, 1);
  return helper.runs;
}

static bool start_helper(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool runs = helper.owner == getpid() ? helper.runs : start_new();
  pthread_mutex_unlock(&lock);
  return runs;
}

void ek_migrate_at_hook(void) {
  uint64_t start = now_ns();
  /* Where nothing is placed (start() in state.c) there is no provider. */
  if (!ek_provider_now) {
    __atomic_store_n(&ek_migrate_pending, 0, __ATOMIC_RELAXED);
    return;
  }
  int saved = errno;
  if (ek_provider_now->moves_at_once || !ek_opt.helper || !start_helper())
    ek_migrate_pass();
  else if (!__atomic_exchange_n(&helper.asked, 1, __ATOMIC_ACQ_REL))
    sem_post(&helper.wake);
  errno = saved;
  ek_add(hook_ns, now_ns() - start);
}

void ek_migrate_replan(void) {
  __atomic_store_n(&replan_wanted, 1, __ATOMIC_RELEASE);
  pending();
}

void ek_migrate_look(void) {
  __atomic_store_n(&look_pause, 1, __ATOMIC_RELAXED);
  pending();
}

void ek_migrate_phase(uint32_t phase) {
  __atomic_store_n(&phase_now, phase, __ATOMIC_RELAXED);
  const uint64_t over = __atomic_add_fetch(&phases_over, 1, __ATOMIC_RELAXED);
  const uint64_t again = __atomic_load_n(&look_again, __ATOMIC_RELAXED);
  if (again && again <= over)
    pending();
  if (ek_share_news())
    pending(); /* there may be room where there was none */
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || plan->change_count == 0)
    return;
  size_t done = __atomic_load_n(&plan->changes_done, __ATOMIC_RELAXED);
  if (done < plan->change_count && plan->changes[done].phase <= phase)
    pending();
}

void ek_migrate_stop(void) {
  if (!helper.runs || helper.owner != getpid() ||
      pthread_equal(pthread_self(), helper.thread))
    return;
  __atomic_store_n(&helper.stop, 1, __ATOMIC_RELEASE);
  sem_post(&helper.wake);
  pthread_join(helper.thread, NULL);
  helper.runs = false;
}

void ek_migrate_fork_wait(pthread_mutex_t *lock) {
  while (busy)
    pthread_cond_wait(&batch_done, lock);
}

void ek_migrate_forked(void) {
  current = waiting = resume.object = NULL;
  busy = false;
  helper.runs = false;
  helper.owner = 0;
  helper.stop = 0;
  pthread_cond_init(&batch_done, NULL);
  pthread_mutex_init(&pass_lock, NULL);
}
