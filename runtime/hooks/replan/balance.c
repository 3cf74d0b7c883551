/*===- balance.c - what tasks take, against the plan --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a hook's id says which phase of the plan it ends: the next one with
 * this id. So loops that go round more often, or less, than planned for do not
 * put the rest out of step. A thread writes its own two slots by turns, as it
 * can be ahead of its team's first thread by one barrier at most.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/replan/balance.h"
#include "core/events.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/stats.h"
#include "placement/place.h"
#include "placement/unlike.h"
#include "providers/provider.h"
#include "ranks/board.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 1024, RING = 32 };

/* Shares of a phase's time that differ by less are noise (a tick of a thread's
 * clock, a fault, another process). */
static const double departure = 0.10;
/* Threads that matter: those within a fifth of the slowest. */
static const double nearly = 0.8;
/* Time lost to imbalance must be so many times what the last look took, and at
 * least so long, before another look. */
static const double patience = 10, least_lost_s = 1e-3;
static const unsigned fewest = 3;
/* Of the run's time so far, what looks may take in all; and what they may take
 * beyond what their plans have gained. */
static const double most_of_run = 0.005, given_of_run = 0.001;
/* Phases under a new plan before a look that judges it, even if they go as it
 * says: all of them may have become longer. */
static const unsigned to_judge = 6;
/* The first look reads the plan once more, and what it carries, which takes
 * so many times as long for each byte as the start took: it is read into rows,
 * and more follows from these (look-bench: READ, PREPARE and FIRST, 33 ns a
 * byte, over the 14 that parsing takes). Of a small file most of the time is
 * none of its bytes': the process has just begun, and pages are new. */
static const double reading_again = 2.5;
enum { LEAST_READ_BYTES = 256 << 10 };
/* Looks for sizes alone: at first after so long, then half as often after each
 * that found nothing. */
enum { FIRST_PAUSE_NS = 1000000, LONGEST_PAUSE_NS = 1000000000 };

typedef struct slot {
  uint64_t key, ns;
} slot;
static struct {
  slot by_turns[2];
} __attribute__((aligned(64))) threads[THREADS];
static uint64_t seq = 1;   /* parts; 0: no slot's */
static uint64_t waited_ns; /* of a rank, since the last phase ended */
static uint32_t thread_count;

/* Of hooks; one at a time runs. */
static struct {
  size_t next;       /* step */
  uint64_t began_ns; /* of what the next hook ends */
  double lost_s; /* to imbalance that was not planned, since the last look */
  uint64_t looked_at_ns;
  /* Phases since the last look that departed, and all since the first that
   * did: one alone may be noise. */
  unsigned departed, since;
  unsigned compared; /* since the last look */
  unsigned asking;   /* hooks */
  bool by_times;     /* as the run began */
} now;
/* Left by the last look. */
static struct {
  uint64_t look_ns, pause_ns, spent_ns, gained_ns;
  uint64_t run_ns; /* the last hook's */
  int other_machine;
  int looked, stopped, unsettled, judging;
  int lost; /* a rank: nobody compares any more */
} left = {.pause_ns = FIRST_PAUSE_NS};
static uint32_t plan_phase;
static int new_objects;

static struct {
  size_t step, count;
  bool departed;
  double longest;
} ring[RING];
static double *ring_seconds;          /* RING rows */
static uint64_t ring_head, ring_tail; /* written, taken */
static int ring_taken;
static double *measured_s; /* by step */
static uint32_t *measured_times;
static double taken_seconds[THREADS];

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

void ek_balance_task(uint32_t thread, uint64_t key, uint64_t ns) {
  if (thread >= THREADS)
    return;
  slot *s = &threads[thread].by_turns[key & 1];
  if (__atomic_load_n(&s->key, __ATOMIC_RELAXED) != key) {
    __atomic_store_n(&s->ns, ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->key, key, __ATOMIC_RELEASE);
  } else {
    /* Threads that are no team's may have one number. */
    __atomic_fetch_add(&s->ns, ns, __ATOMIC_RELAXED);
  }
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  while (thread >= known &&
         !__atomic_compare_exchange_n(&thread_count, &known, thread + 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void ek_balance_waited(uint64_t ns) {
  __atomic_fetch_add(&waited_ns, ns, __ATOMIC_RELAXED);
}

/* --- hooks -------------------------------------------------------------------
 */

static uint64_t run_began_ns;

static void departed(void) {
  __atomic_store_n(&new_objects, 1, __ATOMIC_RELAXED);
}

/* The ring is one thread's at a time. A hook never waits for it: a phase that
 * ends while a look takes others is not kept. */
static bool take_ring(void) {
  return !__atomic_exchange_n(&ring_taken, 1, __ATOMIC_ACQUIRE);
}
static void give_ring(void) {
  __atomic_store_n(&ring_taken, 0, __ATOMIC_RELEASE);
}

/* In a child of fork it may be a thread's that is no more. */
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

/* What the first hook ends began when the program did. */
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
  const double run = (double)__atomic_load_n(&left.run_ns, __ATOMIC_RELAXED);
  const double gained =
      (double)__atomic_load_n(&left.gained_ns, __ATOMIC_RELAXED);
  const double price =
      (double)(__atomic_load_n(&left.spent_ns, __ATOMIC_RELAXED) +
               __atomic_load_n(&left.look_ns, __ATOMIC_RELAXED));
  return price <= most_of_run * run && price <= given_of_run * run + gained;
}

void ek_balance_gained(double seconds) {
  if (seconds > 0)
    __atomic_fetch_add(&left.gained_ns, (uint64_t)(seconds * 1e9),
                       __ATOMIC_RELAXED);
}

static uint64_t first_price(const ek_plan *plan) {
  const size_t bytes =
      plan->read_bytes > LEAST_READ_BYTES ? plan->read_bytes : LEAST_READ_BYTES;
  const double each = (double)plan->read_ns / (double)bytes;
  return plan->read_ns +
         (uint64_t)(reading_again * each * (double)plan->replans);
}

/* One plan in a run has steps; later ones are the same in this. */
static bool start(const ek_plan *plan) {
  if (!measured_s) {
    size_t width = plan->task_width ? plan->task_width : 1;
    measured_s = calloc(plan->step_count, sizeof *measured_s);
    measured_times = calloc(plan->step_count, sizeof *measured_times);
    ring_seconds = calloc(RING * width, sizeof *ring_seconds);
    now.looked_at_ns = now_ns();
    left.look_ns = first_price(plan);
    if (!ek_opt.balance || ek_tier_count < 2)
      ek_balance_stop();
    now.by_times = ek_opt.balance >= EK_REPLAN_TIMES;
    if (ek_opt.balance == EK_REPLAN_TIMES && ek_tier_count > 1 &&
        plan->replans && ek_provider_now->moves_at_once)
      ek_balance_other_machine(); /* tiers in the books only */
  }
  return measured_s && measured_times && ring_seconds;
}

/* The next step that \p id ends, or none (step_count). */
static size_t find(const ek_plan *plan, uint64_t id) {
  const ek_plan_sync *sync = ek_plan_sync_of(plan, id);
  if (!sync || sync->last < now.next)
    return plan->step_count;
  size_t i = now.next;
  while (plan->steps[i].sync != id)
    ++i;
  return i;
}

/* Enough time was lost, the last plan is to be judged, or sizes may be others
 * than planned for. */
static bool due(uint64_t ns, bool sizes) {
  bool lost =
      now.departed >= fewest && now.departed * 2 >= now.since &&
      now.lost_s >= least_lost_s &&
      now.lost_s * 1e9 >=
          patience * (double)__atomic_load_n(&left.look_ns, __ATOMIC_RELAXED);
  bool judges = now.compared >= to_judge &&
                __atomic_load_n(&left.judging, __ATOMIC_RELAXED);
  bool other = sizes && ns - now.looked_at_ns >=
                            __atomic_load_n(&left.pause_ns, __ATOMIC_RELAXED);
  return judges || ((lost || other) && ek_balance_affords());
}

/* Keeps in the ring what \p count tasks \p took, and whether that departs from
 * what was \p said of them; without tasks, only that the step is over. While
 * nobody looks, the ring keeps the latest. */
static void keep(size_t step, size_t count, const double *took,
                 const double *said) {
  double sum = 0, said_sum = 0, longest = 0, said_longest = 0;
  for (size_t t = 0; t < count; ++t) {
    sum += took[t];
    said_sum += said[t];
    longest = took[t] > longest ? took[t] : longest;
    said_longest = said[t] > said_longest ? said[t] : said_longest;
  }
  if (!(sum > 0 && said_sum > 0))
    count = 0;
  uint64_t at = ring_head % RING;
  ring[at].step = step;
  ring[at].count = count;
  ring[at].longest = longest;
  bool departs = false;
  for (size_t t = 0; t < count; ++t) {
    if (took[t] < nearly * longest && said[t] < nearly * said_longest)
      continue;
    double off = took[t] / sum - said[t] / said_sum;
    off = off < 0 ? -off : off;
    departs |= off > departure * said[t] / said_sum;
  }
  now.departed += departs;
  now.since += now.departed != 0;
  ring[at].departed = now.departed != 0;
  ++ring_head;
  if (!count)
    return;
  ++now.compared;
  double planned = sum * (said_longest / said_sum);
  now.lost_s += longest > planned ? longest - planned : 0;
}

/* How many threads took something in a part of a phase. */
static uint32_t threads_of(uint64_t key) {
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED), have = 0;
  for (uint32_t t = 0; t < known; ++t)
    have += __atomic_load_n(&threads[t].by_turns[key & 1].key,
                            __ATOMIC_ACQUIRE) == key;
  return have;
}

/* What the team's threads took against what the plan says. */
static void compare(const ek_plan *plan, size_t step, uint64_t key) {
  const ek_plan_step *s = &plan->steps[step];
  double *took = ring_seconds + ring_head % RING * plan->task_width;
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED), have = 0;
  for (uint32_t t = 0; t < known; ++t) {
    const slot *x = &threads[t].by_turns[key & 1];
    if (__atomic_load_n(&x->key, __ATOMIC_ACQUIRE) != key)
      continue;
    ++have;
    if (t < s->task_count)
      took[t] = (double)__atomic_load_n(&x->ns, __ATOMIC_RELAXED) * 1e-9;
  }
  if (have < 2 || s->task_count < 2)
    return;
  if (have != s->task_count)
    ek_count(EK_WHY_other_team, 1);
  keep(step, have == s->task_count ? have : 0, took,
       plan->task_seconds + s->first_task);
}

/* What ranks took against what the plan says. */
static void compare_ranks(const ek_plan *plan, size_t step, const double *took,
                          bool alike) {
  double said[THREADS];
  if (ek_plan_part(plan, step, said) == plan->step_count)
    return;
  if (!alike)
    ek_count(EK_WHY_other_team, 1);
  keep(step, alike ? plan->rank_count : 0, took, said);
}

/* The leader's hook, after its own part was told: whether to plan. */
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
    while (ek_board_take(
        &step, ring_seconds + ring_head % RING * plan->task_width, &alike))
      compare_ranks(plan, step,
                    ring_seconds + ring_head % RING * plan->task_width, alike);
    give_ring();
  }
  if (!ek_board_asked()) {
    if (!due(ns, ek_board_news()))
      return false;
    ek_board_ask();
  }
  if (ek_board_answered())
    return true;
  /* Who is dead never answers; looking for them costs system calls. */
  if (++now.asking % 256 == 0 && ek_board_lost()[0]) {
    left.lost = 1;
    return true; /* to say so */
  }
  return false;
}

bool ek_balance_hook(uint64_t id) {
  uint64_t key = __atomic_fetch_add(&seq, 1, __ATOMIC_RELAXED);
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || !plan->step_count || !start(plan))
    return false;
  uint64_t ns = now_ns();
  uint64_t took_ns = ns - now.began_ns;
  __atomic_store_n(&left.run_ns, ns - run_began_ns, __ATOMIC_RELAXED);
  bool unlike =
      !plan->rank_count && (!plan->keeps_first_touch || plan->all_fits) &&
      ek_unlike_phase(plan, id) && ek_unlike_count(id, threads_of(key)) &&
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
  if (plan->rank_count) /* times of some of the tasks would tell nothing */
    return ek_board_on && lead(plan, ns);
  if (__atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE))
    return false;
  if (__atomic_exchange_n(&left.looked, 0, __ATOMIC_ACQUIRE)) {
    now.looked_at_ns = ns;
    now.lost_s = 0;
    now.departed = now.since = now.compared = 0;
  }
  if (ek_balance_by_times() && take_ring()) {
    compare(plan, step, key);
    give_ring();
  }
  return due(ns, __atomic_load_n(&new_objects, __ATOMIC_RELAXED)) || unlike;
}

uint32_t ek_balance_phase(void) {
  return __atomic_load_n(&plan_phase, __ATOMIC_RELAXED);
}

/* --- looks -------------------------------------------------------------------
 */

bool ek_balance_take(ek_measured *out) {
  if (!wait_for_ring())
    return false;
  if (ring_head - ring_tail > RING) /* the oldest are overwritten */
    ring_tail = ring_head - RING;
  bool any = ring_tail != ring_head;
  if (any) {
    uint64_t at = ring_tail++ % RING;
    *out = (ek_measured){ring[at].step, ring[at].count, ring[at].departed,
                         ring[at].longest, taken_seconds};
    if (out->count)
      memcpy(taken_seconds, ring_seconds + at * ek_plan_now->task_width,
             out->count * sizeof *taken_seconds);
  }
  give_ring();
  return any;
}

void ek_balance_looked(uint64_t ns, bool planned, bool changed) {
  uint64_t pause = changed ? FIRST_PAUSE_NS : left.pause_ns * 2;
  __atomic_store_n(&new_objects, 0, __ATOMIC_RELAXED);
  if (planned)
    __atomic_store_n(&left.look_ns, ns, __ATOMIC_RELAXED);
  __atomic_fetch_add(&left.spent_ns, ns, __ATOMIC_RELAXED);
  __atomic_store_n(&left.judging, changed, __ATOMIC_RELAXED);
  __atomic_store_n(&left.pause_ns,
                   pause < LONGEST_PAUSE_NS ? pause : LONGEST_PAUSE_NS,
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
  double between = 0; /* serial code that no hook ends */
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
