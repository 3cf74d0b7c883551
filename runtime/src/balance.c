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
#include "balance.h"
#include "event.h"
#include "options.h"
#include "place.h"
#include "provider.h"
#include "stats.h"

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
/* The first look reads what the plan carries: 16 to 20 ns a byte were measured,
 * most of it for what follows from it. */
static const uint64_t first_look_ns_per_byte = 20;
/* Looks for sizes alone: at first after so long, then half as often after each
 * that found nothing. */
enum { FIRST_PAUSE_NS = 1000000, LONGEST_PAUSE_NS = 1000000000 };

typedef struct slot {
  uint64_t key, ns;
} slot;
static struct {
  slot by_turns[2];
} __attribute__((aligned(64))) threads[THREADS];
static uint64_t seq = 1; /* parts; 0: no slot's */
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
} now;
/* Left by the last look. */
static struct {
  uint64_t look_ns, pause_ns;
  int looked, stopped, unsettled;
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
    __atomic_store_n(&s->ns, s->ns + ns, __ATOMIC_RELAXED);
  }
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  while (thread >= known &&
         !__atomic_compare_exchange_n(&thread_count, &known, thread + 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* --- hooks -------------------------------------------------------------------
 */

/* One plan in a run has steps; later ones are the same in this. */
static bool start(const ek_plan *plan) {
  if (!measured_s) {
    size_t width = plan->task_width ? plan->task_width : 1;
    measured_s = calloc(plan->step_count, sizeof *measured_s);
    measured_times = calloc(plan->step_count, sizeof *measured_times);
    ring_seconds = calloc(RING * width, sizeof *ring_seconds);
    now.began_ns = now.looked_at_ns = now_ns();
    left.look_ns = plan->replans * first_look_ns_per_byte;
    if (!ek_opt.balance || ek_tier_count < 2)
      ek_balance_stop();
  }
  return measured_s && measured_times && ring_seconds;
}

/* The next step that \p id ends, or none (step_count). */
static size_t find(const ek_plan *plan, uint64_t id) {
  size_t from = 0, to = plan->sync_count;
  while (from < to) {
    size_t middle = (from + to) / 2;
    if (plan->syncs[middle].sync < id)
      from = middle + 1;
    else
      to = middle;
  }
  if (from == plan->sync_count || plan->syncs[from].sync != id ||
      plan->syncs[from].last < now.next)
    return plan->step_count;
  size_t i = now.next;
  while (plan->steps[i].sync != id)
    ++i;
  return i;
}

/* The ring is one thread's at a time. A hook never waits for it: a phase that
 * ends while a look takes others is not kept. */
static bool take_ring(void) {
  return !__atomic_exchange_n(&ring_taken, 1, __ATOMIC_ACQUIRE);
}
static void give_ring(void) {
  __atomic_store_n(&ring_taken, 0, __ATOMIC_RELEASE);
}

/* What the team's threads took against what the plan says. */
static void compare(const ek_plan *plan, size_t step, uint64_t key) {
  const ek_plan_step *s = &plan->steps[step];
  const double *said = plan->task_seconds + s->first_task;
  uint64_t at = ring_head % RING;
  double *took = ring_seconds + at * plan->task_width;
  double sum = 0, said_sum = 0, longest = 0, said_longest = 0;
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED), have = 0;
  for (uint32_t t = 0; t < known; ++t) {
    const slot *x = &threads[t].by_turns[key & 1];
    if (__atomic_load_n(&x->key, __ATOMIC_ACQUIRE) != key)
      continue;
    ++have;
    if (t >= s->task_count)
      continue;
    took[t] = (double)__atomic_load_n(&x->ns, __ATOMIC_RELAXED) * 1e-9;
    sum += took[t];
    said_sum += said[t];
    longest = took[t] > longest ? took[t] : longest;
    said_longest = said[t] > said_longest ? said[t] : said_longest;
  }
  if (have < 2 || s->task_count < 2)
    return;
  bool comparable = have == s->task_count && sum > 0 && said_sum > 0;
  if (!comparable)
    ek_count(EK_WHY_other_team, 1);
  /* While nobody looks, the ring keeps the latest. */
  ring[at].step = step;
  ring[at].count = comparable ? have : 0;
  ring[at].longest = longest;
  bool departs = false;
  for (uint32_t t = 0; comparable && t < have; ++t) {
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
  if (!comparable)
    return;
  double planned = sum * (said_longest / said_sum);
  now.lost_s += longest > planned ? longest - planned : 0;
}

bool ek_balance_hook(uint64_t id) {
  uint64_t key = __atomic_fetch_add(&seq, 1, __ATOMIC_RELAXED);
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || !plan->step_count || !start(plan))
    return false;
  size_t step = find(plan, id);
  if (step == plan->step_count)
    return false;
  uint64_t ns = now_ns();
  double seconds = (double)(ns - now.began_ns) * 1e-9;
  measured_s[step] += seconds;
  ek_event_phase(id, plan->steps[step].phase, seconds);
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
  if (__atomic_load_n(&left.stopped, __ATOMIC_RELAXED) || !plan->replans)
    return false;
  if (__atomic_load_n(&left.unsettled, __ATOMIC_ACQUIRE))
    return false;
  if (__atomic_exchange_n(&left.looked, 0, __ATOMIC_ACQUIRE)) {
    now.looked_at_ns = ns;
    now.lost_s = 0;
    now.departed = now.since = 0;
  }
  if (take_ring()) {
    compare(plan, step, key);
    give_ring();
  }
  bool lost =
      now.departed >= fewest && now.departed * 2 >= now.since &&
      now.lost_s >= least_lost_s &&
      now.lost_s * 1e9 >=
          patience * (double)__atomic_load_n(&left.look_ns, __ATOMIC_RELAXED);
  bool sizes = __atomic_load_n(&new_objects, __ATOMIC_RELAXED) &&
               ns - now.looked_at_ns >=
                   __atomic_load_n(&left.pause_ns, __ATOMIC_RELAXED);
  return lost || sizes;
}

uint32_t ek_balance_phase(void) {
  return __atomic_load_n(&plan_phase, __ATOMIC_RELAXED);
}

void ek_balance_object(void) {
  __atomic_store_n(&new_objects, 1, __ATOMIC_RELAXED);
}

/* --- looks -------------------------------------------------------------------
 */

/* In a child of fork it may be a thread's that is no more. */
static bool wait_for_ring(void) {
  for (unsigned tries = 0; tries < 1000; ++tries) {
    if (take_ring())
      return true;
    sched_yield();
  }
  return false;
}

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

void ek_balance_looked(uint64_t ns, bool changed) {
  uint64_t pause = changed ? FIRST_PAUSE_NS : left.pause_ns * 2;
  __atomic_store_n(&new_objects, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&left.look_ns, ns, __ATOMIC_RELAXED);
  __atomic_store_n(&left.pause_ns,
                   pause < LONGEST_PAUSE_NS ? pause : LONGEST_PAUSE_NS,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&left.looked, 1, __ATOMIC_RELEASE);
}

void ek_balance_unsettled(void) {
  __atomic_store_n(&left.unsettled, 1, __ATOMIC_RELAXED);
}

void ek_balance_settled(void) {
  if (!__atomic_load_n(&left.unsettled, __ATOMIC_RELAXED))
    return;
  if (!wait_for_ring())
    return;
  ring_tail = ring_head;
  give_ring();
  __atomic_store_n(&left.looked, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&left.unsettled, 0, __ATOMIC_RELEASE);
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
