/*===- region.c - ek_region_begin and ek_region_end ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the regions and tasks that are open on each thread. A task that waits
 * may run others on its thread: their time is theirs, not its; waiting itself
 * is nobody's, where the OpenMP library tells of it.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "region.h"
#include "balance.h"
#include "evenkeel/ek.h"
#include "object.h"
#include "raw.h"
#include "state.h"
#include "stats.h"
#include "sums.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEPTH = 256 };

typedef struct frame {
  uint64_t id; /* of a region; of a task the address that made it */
  uint64_t start;
  uint64_t others; /* time of frames inside, on this thread */
  uint64_t waited;
  uint64_t wait_start, wait_others; /* of the wait that goes on */
  uint64_t added;                   /* of a task: already in the sums */
  uint64_t key;                     /* of the part of a phase (balance.h) */
  uint32_t phase, thread, hooks;
  bool is_task, is_thread, counted, bracketed, waiting;
} frame;

/* Static thread-local memory is scarce where libraries are loaded late: the
 * frames are allocated with a thread's first one. */
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

/* Explicit tasks of OpenMP 5.2; older libraries do not tell. */
int omp_in_explicit_task(void) __attribute__((weak, visibility("default")));

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
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
               .start = now_ns()};
  return f;
}

/* Time in which the frame's own code ran, up to \p now. */
static uint64_t busy(const frame *f, uint64_t now) {
  uint64_t ns = now - f->start - f->others - f->waited;
  if (f->waiting)
    ns -= (now - f->wait_start) - (f->others - f->wait_others);
  return ns;
}

static void pop(frame *f, uint64_t now) {
  --mine.depth;
  if (top())
    top()->others += now - f->start;
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
  uint64_t now = now_ns(), ns = busy(f, now);
  bool explicit_task = omp_in_explicit_task && omp_in_explicit_task();
  ek_sum_region(id, ek_creator(), 1, ns, f->hooks);
  if (ek_raw_on)
    ek_raw_add_task(id, f->phase, explicit_task, ns);
  /* Of several phases it would not say which took how long. */
  if (!explicit_task && !f->hooks && ek_outermost())
    ek_balance_task(ek_creator(), f->key, ns);
  pop(f, now);
}

void ek_region_passed_hook(void) {
  frame *f = top();
  if (f)
    ++f->hooks;
}

/* A team's last wait may end only when the library stops: what ran before it is
 * taken at once. */
static void take(frame *f, uint64_t now) {
  if (f->bracketed)
    return;
  uint64_t ns = busy(f, now);
  ek_sum_team(f->id, f->thread, !f->counted, ns - f->added);
  if (f->is_thread)
    ek_balance_task(f->thread, f->key + f->hooks, ns - f->added);
  f->added = ns;
  f->counted = true;
}

void ek_task_begin(uint64_t code, uint32_t thread, bool is_thread) {
  frame *f = push(code);
  if (f) {
    f->is_task = true;
    f->is_thread = is_thread;
    f->thread = thread;
  }
}

void ek_task_end(void) {
  if (mine.depth > DEPTH) {
    --mine.depth;
    return;
  }
  /* Regions that were left by cancellation stay open above. */
  while (top() && !top()->is_task)
    --mine.depth;
  frame *f = top();
  if (!f)
    return;
  uint64_t now = now_ns();
  take(f, now);
  pop(f, now);
}

void ek_wait_begin(void) {
  frame *f = top();
  if (!f || f->waiting)
    return;
  uint64_t now = now_ns();
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
  f->waited += now_ns() - f->wait_start - (f->others - f->wait_others);
  f->waiting = false;
}
