/*===- region.c - ek_region_begin and ek_region_end ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the regions and tasks that are open on each thread. A task that waits
 * may run other tasks on its thread; their time is not its own. Time spent
 * waiting counts for no task, if the OpenMP library reports waits.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hooks/region.h"
#include "core/counters.h"
#include "core/events.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "hooks/replan/balance.h"
#include "objects/object.h"
#include "placement/unlike.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEPTH = 256 };

/* Time and processor counts. */
typedef struct reading {
  uint64_t ns, counts[EK_COUNTERS];
} reading;

typedef struct frame {
  uint64_t id; /* of a region; for a task the address where it was created */
  reading start;
  reading others; /* of frames nested in this one, on this thread */
  reading waited;
  reading wait_start, wait_others; /* when the current wait began */
  reading added;                   /* of a task: reported already */
  uint64_t key;                    /* see ek_balance_key */
  uint64_t kept;                   /* see ek_task_begin */
  uint32_t phase, thread, hooks;
  bool is_task, is_thread, counted, bracketed, waiting;
} frame;

/* Static thread-local memory is scarce in libraries that are loaded late, so a
 * thread's frames are allocated at its first push. */
static _Thread_local struct {
  unsigned depth;
  frame *open;
} mine __attribute__((tls_model("initial-exec")));
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void thread_ends(void *frames) {
  mine.open = NULL;
  mine.depth = 0;
  free(frames);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

int omp_get_level(void) __attribute__((weak, visibility("default")));

bool ek_outermost(void) { return !omp_get_level || omp_get_level() <= 1; }

/* OpenMP 5.2; older libraries, like gcc's, do not have it. */
int omp_in_explicit_task(void) __attribute__((weak, visibility("default")));

static reading now_reading(void) {
  struct timespec t;
  reading r = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  r.ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
  if (ek_counters_on)
    ek_counters_read(r.counts);
  return r;
}

static reading less(reading a, reading b) {
  a.ns -= b.ns;
  for (unsigned c = 0; c < EK_COUNTERS; ++c)
    a.counts[c] -= b.counts[c];
  return a;
}

static void more(reading *to, reading by) {
  to->ns += by.ns;
  for (unsigned c = 0; c < EK_COUNTERS; ++c)
    to->counts[c] += by.counts[c];
}

static frame *top(void) {
  return mine.depth && mine.depth <= DEPTH ? &mine.open[mine.depth - 1] : NULL;
}

static frame *push(uint64_t id) {
  if (!mine.open) {
    mine.open = calloc(DEPTH, sizeof *mine.open);
    if (!mine.open)
      return NULL;
    pthread_once(&once, make_key);
    pthread_setspecific(key, mine.open);
  }
  if (++mine.depth > DEPTH)
    return NULL;
  frame *f = top();
  *f = (frame){.id = id,
               .phase = __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED),
               .key = ek_balance_key(),
               .start = now_reading()};
  return f;
}

/* The time that the frame's own code has taken until \p now. */
static reading busy(const frame *f, reading now) {
  reading r = less(less(less(now, f->start), f->others), f->waited);
  if (f->waiting)
    r = less(r,
             less(less(now, f->wait_start), less(f->others, f->wait_others)));
  return r;
}

static void pop(frame *f, reading now) {
  --mine.depth;
  if (top())
    more(&top()->others, less(now, f->start));
}

/* Whether an explicit task runs the top frame, a bracketed region. If the
 * library does not say so, the task's own frame does, below it (tasks.c). */
static bool in_explicit_task(void) {
  if (omp_in_explicit_task)
    return omp_in_explicit_task();
  const frame *below =
      mine.depth > 1 && mine.depth <= DEPTH ? &mine.open[mine.depth - 2] : NULL;
  return below && below->is_task && !below->is_thread;
}

EXPORT void ek_region_begin(uint64_t id) {
  if (!ek_running())
    return;
  if (top() && top()->is_task)
    top()->bracketed = true;
  push(id);
}

EXPORT void ek_region_end(uint64_t id) {
  if (!ek_running())
    return;
  if (mine.depth > DEPTH) {
    --mine.depth;
    ek_count(EK_WHY_region_too_deep, 1);
    return;
  }
  frame *f = top();
  if (!f || f->is_task || f->id != id) {
    ek_count(EK_WHY_region_unmatched, 1);
    return;
  }
  reading now = now_reading(), took = busy(f, now);
  bool explicit_task = in_explicit_task();
  const ek_ran ran = {.region = id,
                      .ns = took.ns,
                      .thread = ek_creator(),
                      .phase = f->phase,
                      .hooks = f->hooks,
                      .explicit_task = explicit_task,
                      .counts = took.counts};
  ek_tell_region_ran(&ran);
  /* Skip regions with hooks inside: their time belongs to several phases. */
  if (!explicit_task && ek_outermost() && ek_creator() == 0)
    ek_unlike_region(id);
  if (explicit_task && ek_outermost())
    ek_balance_explicit(ran.thread, f->id, f->key, took.ns);
  else if (!explicit_task && !f->hooks && ek_outermost())
    ek_balance_task(ran.thread, f->key, took.ns);
  pop(f, now);
}

void ek_region_passed_hook(void) {
  frame *f = top();
  if (f)
    ++f->hooks;
  if (f && !f->is_task)
    ek_unlike_region(f->id);
}

/* Reports the frame's time so far. Called when a wait begins, because a team's
 * last wait may end only when the library shuts down. */
static void take(frame *f, reading now) {
  if (f->bracketed)
    return;
  reading all = busy(f, now), took = less(all, f->added);
  ek_tell_part_ran(f->id, f->thread, !f->counted, took.ns, took.counts);
  if (f->is_thread)
    ek_balance_task(f->thread, f->key + f->hooks, took.ns);
  f->added = all;
  f->counted = true;
}

void ek_task_begin(uint64_t code, uint32_t thread, bool is_thread,
                   uint64_t kept) {
  frame *f = push(code);
  if (f) {
    f->is_task = true;
    f->is_thread = is_thread;
    f->thread = thread;
    f->kept = kept;
  }
}

uint64_t ek_task_end(void) {
  if (mine.depth > DEPTH) {
    --mine.depth;
    return 0;
  }
  /* Regions left by cancellation are still open above the task. */
  while (top() && !top()->is_task)
    --mine.depth;
  frame *f = top();
  if (!f)
    return 0;
  reading now = now_reading();
  take(f, now);
  pop(f, now);
  return f->kept;
}

unsigned ek_task_depth(void) { return mine.depth; }

uint64_t ek_task_makes_others(void) {
  frame *f = top();
  if (!f || !f->is_task || f->is_thread)
    return 0;
  f->counted = true;
  return f->id;
}

void ek_wait_begin(void) {
  frame *f = top();
  if (!f || f->waiting)
    return;
  reading now = now_reading();
  if (f->is_task)
    take(f, now);
  f->waiting = true;
  f->wait_start = now;
  f->wait_others = f->others;
}

void ek_wait_end(void) {
  frame *f = top();
  if (!f || !f->waiting)
    return;
  more(&f->waited, less(less(now_reading(), f->wait_start),
                        less(f->others, f->wait_others)));
  f->waiting = false;
}
