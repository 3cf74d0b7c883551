/*===- balance.c - task times compared with the plan --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a hook's id shows which phase of the plan it ends: the next one with
 * this id. So loops with a larger or smaller trip count than planned do not
 * shift the rest.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/replan/balance.h"
#include "core/events.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "placement/place.h"
#include "placement/unlike.h"
#include "providers/provider.h"
#include "ranks/board.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RING = 32 };

static uint64_t seq = 1;   /* the current interval's key; 0: an empty slot */
static uint64_t waited_ns; /* this rank, since the last phase ended */

/* State of hooks; one hook runs at a time (enter()). */
static struct {
  size_t next;       /* the plan's next step */
  uint64_t began_ns; /* start of the interval that the next hook ends */
  double lost_s;     /* to unplanned imbalance, since the last look */
  uint64_t looked_at_ns;
  /* Since the last look: phases that departed from the plan, and all phases
   * since the first that did. A single one may be noise. */
  unsigned departed, since;
  unsigned compared; /* phases compared since the last look */
  unsigned asking;   /* hooks while waiting for answers */
  bool by_times;     /* times are compared, by the options */
  bool put_off;      /* a look is due as soon as values are handed over */
  bool hands_over;   /* the program hands values over */
} now;
/* Written by looks, read by hooks. */
static struct {
  uint64_t look_ns, pause_ns, spent_ns, gained_ns;
  uint64_t run_ns; /* time of the last hook */
  int other_machine;
  int looked, stopped, unsettled, judging;
  int lost; /* a rank died: no more comparisons */
} left = {.pause_ns = EK_FIRST_PAUSE_NS};
static uint32_t plan_phase;
static int new_objects;

static struct {
  size_t step, count;
  bool departed, of_kinds;
  double longest;
} ring[RING];
static double *ring_seconds; /* a row per entry of the ring */
static size_t ring_width;
static uint64_t ring_head, ring_tail; /* entries written, entries taken */
static int ring_taken;
static double *measured_s; /* by step */
static uint32_t *measured_times;
static double taken_seconds[EK_TIMED_THREADS];

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- threads -----------------------------------------------------------------
 */

uint64_t ek_balance_key(void) {
  return __atomic_load_n(&seq, __ATOMIC_RELAXED);
}

void ek_balance_waited(uint64_t ns) {
  __atomic_fetch_add(&waited_ns, ns, __ATOMIC_RELAXED);
}

/* --- hooks -------------------------------------------------------------------
 */

static uint64_t run_began_ns;

/* If two threads that the program started itself pass hooks at the same time,
 * each would end the other's phase. So a hook that finds another one at work
 * does nothing. */
static int entered;
static bool enter(void) {
  if (!__atomic_exchange_n(&entered, 1, __ATOMIC_ACQUIRE))
    return true;
  ek_count(EK_WHY_hooks_at_once, 1);
  return false;
}
static void leave(void) { __atomic_store_n(&entered, 0, __ATOMIC_RELEASE); }

void ek_balance_forked(void) { entered = 0; }

static void departed(void) {
  __atomic_store_n(&new_objects, 1, __ATOMIC_RELAXED);
}

/* A try-lock on the ring. A hook never waits for it: a phase that ends while a
 * look reads the ring is dropped. */
static bool take_ring(void) {
  return !__atomic_exchange_n(&ring_taken, 1, __ATOMIC_ACQUIRE);
}
static void give_ring(void) {
  __atomic_store_n(&ring_taken, 0, __ATOMIC_RELEASE);
}

/* Gives up after a while: after fork, the owner may not exist. */
static bool wait_for_ring(void) {
  for (unsigned tries = 0; tries < 1000; ++tries) {
    if (take_ring())
      return true;
    sched_yield();
  }
  return false;
}

static void plan_changed(void) {
  __atomic_store_n(&left.unsettled, 1, __ATOMIC_RELAXED);
}

static void plan_settled(void) {
  if (!__atomic_load_n(&left.unsettled, __ATOMIC_RELAXED))
    return;
  if (!wait_for_ring())
    return;
  ring_tail = ring_head;
  give_ring();
  __atomic_store_n(&left.looked, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&left.unsettled, 0, __ATOMIC_RELEASE);
}

/* The interval that the first hook ends began with the program. */
void ek_balance_start(void) {
  now.began_ns = run_began_ns = now_ns();
  ek_listen_departed(departed);
  ek_listen_plan_changed(plan_changed);
  ek_listen_plan_settled(plan_settled);
}

bool ek_balance_by_times(void) {
  return now.by_times &&
         !__atomic_load_n(&left.other_machine, __ATOMIC_RELAXED);
}

void ek_balance_other_machine(void) {
  if (!__atomic_exchange_n(&left.other_machine, 1, __ATOMIC_RELAXED))
    ek_count(EK_WHY_other_machine, 1);
}

bool ek_balance_affords(void) {
  if (ek_opt.every_hook)
    return true;
  const double run = (double)__atomic_load_n(&left.run_ns, __ATOMIC_RELAXED);
  const double gained =
      (double)__atomic_load_n(&left.gained_ns, __ATOMIC_RELAXED);
  const double price =
      (double)(__atomic_load_n(&left.spent_ns, __ATOMIC_RELAXED) +
               __atomic_load_n(&left.look_ns, __ATOMIC_RELAXED));
  return price <= EK_LOOKS_OF_RUN * run &&
         price <= EK_LOOKS_BEYOND_GAIN * run + gained;
}

void ek_balance_gained(double seconds) {
  if (seconds > 0)
    __atomic_fetch_add(&left.gained_ns, (uint64_t)(seconds * 1e9),
                       __ATOMIC_RELAXED);
}

static uint64_t first_price(const ek_plan *plan) {
  const size_t bytes = plan->read_bytes > EK_LEAST_READ_BYTES
                           ? plan->read_bytes
                           : EK_LEAST_READ_BYTES;
  const double each = (double)plan->read_ns / (double)bytes;
  return plan->read_ns +
         (uint64_t)(EK_READING_AGAIN * each * (double)plan->replans);
}

/* Later plans of a run have the same steps as the first. */
static bool start(const ek_plan *plan) {
  if (!measured_s) {
    ring_width =
        plan->task_width > EK_TASK_KINDS ? plan->task_width : EK_TASK_KINDS;
    measured_s = calloc(plan->step_count, sizeof *measured_s);
    measured_times = calloc(plan->step_count, sizeof *measured_times);
    ring_seconds = calloc(RING * ring_width, sizeof *ring_seconds);
    now.looked_at_ns = now_ns();
    left.look_ns = first_price(plan);
    if (!ek_opt.balance || ek_tier_count < 2)
      ek_balance_stop();
    now.by_times = ek_opt.balance >= EK_REPLAN_TIMES;
    if (ek_opt.balance == EK_REPLAN_TIMES && ek_tier_count > 1 &&
        plan->replans && ek_provider_now->moves_at_once)
      ek_balance_other_machine(); /* the tiers exist only in our accounts */
  }
  return measured_s && measured_times && ring_seconds;
}

/* The last look begins a new comparison. */
static void take_look(uint64_t ns) {
  if (!__atomic_exchange_n(&left.looked, 0, __ATOMIC_ACQUIRE))
    return;
  now.looked_at_ns = ns;
  now.lost_s = 0;
  now.departed = now.since = now.compared = 0;
}

/* The next step that \p id ends; step_count: none. */
static size_t find(const ek_plan *plan, uint64_t id) {
  const ek_plan_sync *sync = ek_plan_sync_of(plan, id);
  if (!sync || sync->last < now.next)
    return plan->step_count;
  size_t i = now.next;
  while (plan->steps[i].sync != id)
    ++i;
  return i;
}

/* Whether it is time for a look: enough time was lost, the last plan can be
 * judged, or (\p sizes) object sizes or values may differ from the plan. */
static bool due(uint64_t ns, bool sizes) {
  if (ek_opt.every_hook)
    return true;
  bool lost = now.departed >= EK_FEWEST_DEPARTED &&
              now.departed * 2 >= now.since && now.lost_s >= EK_LEAST_LOST_S &&
              now.lost_s * 1e9 >=
                  EK_LOOK_PATIENCE *
                      (double)__atomic_load_n(&left.look_ns, __ATOMIC_RELAXED);
  bool judges = now.compared >= EK_PHASES_TO_JUDGE &&
                __atomic_load_n(&left.judging, __ATOMIC_RELAXED);
  bool other = sizes && ns - now.looked_at_ns >=
                            __atomic_load_n(&left.pause_ns, __ATOMIC_RELAXED);
  return judges || ((lost || other) && ek_balance_affords());
}

/* Appends the times of \p count tasks to the ring, and compares them with the
 * predicted ones; with count 0, only the step. While there is no look, old
 * entries are overwritten. If they are \p of_kinds, \p share of what one takes
 * longer is lost. */
static void keep(size_t step, size_t count, const double *took,
                 const double *predicted, bool of_kinds, double share) {
  double sum = 0, predicted_sum = 0, longest = 0, predicted_longest = 0;
  for (size_t t = 0; t < count; ++t) {
    sum += took[t];
    predicted_sum += predicted[t];
    longest = took[t] > longest ? took[t] : longest;
    predicted_longest =
        predicted[t] > predicted_longest ? predicted[t] : predicted_longest;
  }
  if (!(sum > 0 && predicted_sum > 0))
    count = 0;
  uint64_t at = ring_head % RING;
  ring[at].step = step;
  ring[at].count = count;
  ring[at].longest = longest;
  ring[at].of_kinds = of_kinds;
  bool departs = false;
  for (size_t t = 0; t < count; ++t) {
    if (took[t] < EK_COMPARED_TIME * longest &&
        predicted[t] < EK_COMPARED_TIME * predicted_longest)
      continue;
    double off = took[t] / sum - predicted[t] / predicted_sum;
    off = off < 0 ? -off : off;
    departs |= off > EK_DEPARTURE * predicted[t] / predicted_sum;
  }
  now.departed += departs;
  now.since += now.departed != 0;
  ring[at].departed = now.departed != 0;
  ++ring_head;
  if (!count)
    return;
  ++now.compared;
  double planned = sum * (predicted_longest / predicted_sum);
  now.lost_s += longest > planned ? share * (longest - planned) : 0;
}

/* Compares the times of the team's threads with the plan. */
static void compare(const ek_plan *plan, size_t step, uint64_t key) {
  const ek_plan_step *s = &plan->steps[step];
  double *took = ring_seconds + ring_head % RING * ring_width;
  const uint32_t have = ek_times_take(key, took, s->task_count);
  if (have < 2 || s->task_count < 2)
    return;
  if (have != s->task_count)
    ek_count(EK_WHY_other_team, 1);
  keep(step, have == s->task_count ? have : 0, took,
       plan->task_seconds + s->first_task, false, 1);
}

/* Compares the times of explicit tasks with the plan: of each region, as if it
 * had run as many as planned. */
static void compare_kinds(const ek_plan *plan, size_t step, uint64_t key) {
  const ek_plan_step *s = &plan->steps[step];
  double *took = ring_seconds + ring_head % RING * ring_width;
  double predicted[EK_TASK_KINDS];
  if (!s->kind_count || s->kind_count > EK_TASK_KINDS)
    return;
  for (uint32_t n = 0; n < s->kind_count; ++n) {
    const ek_plan_task_kind *kind = &plan->task_kinds[s->first_kind + n];
    uint64_t tasks = 0;
    const double seconds = ek_times_of_kind(key, kind->region, &tasks);
    if (!tasks) /* nothing brackets them */
      return;
    predicted[n] = kind->seconds;
    took[n] = seconds / (double)tasks * (double)kind->tasks;
  }
  keep(step, s->kind_count, took, predicted, true,
       1.0 / ek_times_kind_threads(key));
}

/* Compares the times of the ranks with the plan. */
static void compare_ranks(const ek_plan *plan, size_t step, const double *took,
                          bool alike) {
  double predicted[EK_TIMED_THREADS];
  if (ek_plan_part(plan, step, predicted) == plan->step_count)
    return;
  if (!alike)
    ek_count(EK_WHY_other_team, 1);
  keep(step, alike ? plan->rank_count : 0, took, predicted, false, 1);
}

/* The leader's hook, after it reported its own interval. Returns whether to
 * look at the plan. */
static bool lead(const ek_plan *plan, uint64_t ns) {
  if (left.lost)
    return false;
  if (__atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE) ||
      !ek_board_all_settled()) {
    ek_board_skip();
    return false;
  }
  if (__atomic_exchange_n(&left.looked, 0, __ATOMIC_ACQUIRE)) {
    now.looked_at_ns = ns;
    now.lost_s = 0;
    now.departed = now.since = now.compared = 0;
    ek_board_asked_enough();
  }
  size_t step;
  bool alike;
  if (ek_balance_by_times() && take_ring()) {
    while (ek_board_take(&step, ring_seconds + ring_head % RING * ring_width,
                         &alike))
      compare_ranks(plan, step, ring_seconds + ring_head % RING * ring_width,
                    alike);
    give_ring();
  }
  if (!ek_board_asked()) {
    if (!due(ns, ek_board_news()))
      return false;
    ek_board_ask();
  }
  if (ek_board_answered())
    return true;
  /* A dead rank never answers; checking for one costs system calls. */
  if (++now.asking % 256 == 0 && ek_board_lost()[0]) {
    left.lost = 1;
    return true; /* the look reports it */
  }
  return false;
}

static bool hook(uint64_t id, bool serial) {
  uint64_t key = __atomic_fetch_add(&seq, 1, __ATOMIC_RELAXED);
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || !plan->step_count || !start(plan))
    return false;
  uint64_t ns = now_ns();
  uint64_t took_ns = ns - now.began_ns;
  __atomic_store_n(&left.run_ns, ns - run_began_ns, __ATOMIC_RELAXED);
  bool unlike =
      !plan->rank_count && (!plan->keeps_first_touch || plan->all_fits) &&
      ek_unlike_phase(plan, id) && ek_unlike_count(id, ek_times_threads(key)) &&
      !__atomic_load_n(&left.stopped, __ATOMIC_RELAXED) && plan->replans &&
      !__atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE) &&
      ek_balance_affords();
  size_t step = find(plan, id);
  if (step == plan->step_count)
    return unlike;
  double seconds = (double)took_ns * 1e-9;
  measured_s[step] += seconds;
  ek_probe_phase(id, plan->steps[step].phase, seconds);
  ek_tell_phase_took(id, plan->steps[step].phase, seconds);
  ++measured_times[step];
  now.began_ns = ns;
  now.next = step + 1;
  size_t next = step + 1;
  while (next < plan->step_count && !plan->steps[next].sync)
    ++next;
  __atomic_store_n(&plan_phase,
                   next < plan->step_count ? plan->steps[next].phase
                                           : plan->steps[step].phase + 1,
                   __ATOMIC_RELAXED);
  uint64_t waited = __atomic_exchange_n(&waited_ns, 0, __ATOMIC_RELAXED);
  if (ek_board_on) {
    ek_board_tell(step, took_ns > waited ? took_ns - waited : 0,
                  __atomic_exchange_n(&new_objects, 0, __ATOMIC_RELAXED));
    if (!ek_board_leads())
      return ek_board_calls();
  }
  if (__atomic_load_n(&left.stopped, __ATOMIC_RELAXED) || !plan->replans)
    return false;
  if (plan->rank_count) /* one rank's times alone say nothing */
    return ek_board_on && lead(plan, ns);
  if (__atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE))
    return false;
  take_look(ns);
  if (ek_balance_by_times() && take_ring()) {
    if (plan->steps[step].has_explicit)
      compare_kinds(plan, step, key);
    else
      compare(plan, step, key);
    give_ring();
  }
  const bool looks =
      due(ns, __atomic_load_n(&new_objects, __ATOMIC_RELAXED)) || unlike;
  /* The values of the next region are about to be handed over. If they were
   * not, the look is due now. */
  const bool late = now.put_off;
  now.put_off = looks && !late && serial && now.hands_over &&
                next < plan->step_count && plan->steps[next].hands_over;
  return (looks || late) && !now.put_off;
}

bool ek_balance_hook(uint64_t id, bool serial) {
  if (!enter())
    return false;
  const bool looks = hook(id, serial);
  leave();
  return looks;
}

static bool handed_over(bool news) {
  const ek_plan *plan = ek_plan_of_now();
  now.hands_over = true;
  if (!plan || !plan->step_count || plan->rank_count || !measured_s ||
      !now.next || __atomic_load_n(&left.stopped, __ATOMIC_RELAXED) ||
      __atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE))
    return false;
  const bool late = now.put_off;
  now.put_off = false;
  if (late || !news)
    return late;
  const uint64_t ns = now_ns();
  take_look(ns);
  return due(ns, true);
}

bool ek_balance_values(bool news) {
  if (news)
    departed(); /* also if another hook runs: the next one sees it */
  if (!enter())
    return false;
  const bool looks = handed_over(news);
  leave();
  return looks;
}

uint32_t ek_balance_phase(void) {
  return __atomic_load_n(&plan_phase, __ATOMIC_RELAXED);
}

/* --- looks -------------------------------------------------------------------
 */

bool ek_balance_take(ek_measured *out) {
  if (!wait_for_ring())
    return false;
  if (ring_head - ring_tail > RING) /* older entries were overwritten */
    ring_tail = ring_head - RING;
  bool any = ring_tail != ring_head;
  if (any) {
    uint64_t at = ring_tail++ % RING;
    *out = (ek_measured){ring[at].step,     ring[at].count,   ring[at].departed,
                         ring[at].of_kinds, ring[at].longest, taken_seconds};
    if (out->count)
      memcpy(taken_seconds, ring_seconds + at * ring_width,
             out->count * sizeof *taken_seconds);
  }
  give_ring();
  return any;
}

void ek_balance_looked(uint64_t ns, bool planned, bool changed) {
  uint64_t pause = changed ? EK_FIRST_PAUSE_NS : left.pause_ns * 2;
  __atomic_store_n(&new_objects, 0, __ATOMIC_RELAXED);
  if (planned)
    __atomic_store_n(&left.look_ns, ns, __ATOMIC_RELAXED);
  __atomic_fetch_add(&left.spent_ns, ns, __ATOMIC_RELAXED);
  __atomic_store_n(&left.judging, changed, __ATOMIC_RELAXED);
  __atomic_store_n(&left.pause_ns,
                   pause < EK_LONGEST_PAUSE_NS ? pause : EK_LONGEST_PAUSE_NS,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&left.looked, 1, __ATOMIC_RELEASE);
}

void ek_balance_stop(void) {
  __atomic_store_n(&left.stopped, 1, __ATOMIC_RELAXED);
}

/* --- summary -----------------------------------------------------------------
 */

size_t ek_balance_phases(ek_phase_sum **out) {
  const ek_plan *plan = ek_plan_now;
  *out = NULL;
  if (!plan || !measured_s || !plan->sync_count)
    return 0;
  ek_phase_sum *sums = calloc(plan->sync_count, sizeof *sums);
  if (!sums)
    return 0;
  size_t count = 0;
  double between = 0; /* serial code without a hook at its end */
  for (size_t i = 0; i < plan->step_count; ++i) {
    between += plan->steps[i].seconds;
    if (!plan->steps[i].sync)
      continue;
    if (measured_times[i]) {
      size_t k = 0;
      while (k < count && sums[k].sync != plan->steps[i].sync)
        ++k;
      count += k == count;
      sums[k].sync = plan->steps[i].sync;
      sums[k].times += measured_times[i];
      sums[k].predicted_s += between;
      sums[k].measured_s += measured_s[i];
    }
    between = 0;
  }
  *out = sums;
  return count;
}
