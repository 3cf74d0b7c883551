/*===- moving.c - state of migration ------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See moving.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/moving.h"
#include "core/stats.h"
#include "placement/in_force.h"
#include "ranks/share.h"

#include <pthread.h>
#include <time.h>

int ek_migrate_pending;
struct ek_moving ek_moving;

static pthread_cond_t batch_done = PTHREAD_COND_INITIALIZER;
static uint32_t phase_now; /* the plan's phase */
static int replan_wanted;
/* The number of phases that have ended, the number at which to look again (0:
 * never), and the current pause in phases. */
static uint64_t phases_over, look_again, look_pause = 1;

/* --- the object that is moving -----------------------------------------------
 */

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void ek_moving_leave(ek_object *o) {
  o->leaving = true;
  if (ek_moving.busy && ek_moving.current == o) {
    uint64_t start = now_ns();
    while (ek_moving.busy && ek_moving.current == o)
      ek_place_wait(&batch_done);
    ek_add(waited_ns, now_ns() - start);
  }
  if (ek_moving.current == o) {
    ek_moving.current = NULL;
    ek_add(move_cancelled, 1);
  }
  if (ek_moving.waiting == o)
    ek_moving.waiting = NULL;
  if (ek_moving.resume.object == o)
    ek_moving.resume.object = NULL;
}

void ek_moving_begin(ek_object *o) {
  ek_moving.current = o;
  ek_moving.busy = true;
  ek_place_unlock();
}

void ek_moving_end(void) {
  ek_place_lock();
  ek_moving.busy = false;
  pthread_cond_broadcast(&batch_done);
}

void ek_moving_fork_wait(void) {
  while (ek_moving.busy)
    ek_place_wait(&batch_done);
}

void ek_moving_forked(void) {
  ek_moving.current = ek_moving.waiting = ek_moving.resume.object = NULL;
  ek_moving.busy = false;
  pthread_cond_init(&batch_done, NULL);
}

/* --- the work of the next pass -----------------------------------------------
 */

void ek_moving_pending(void) {
  __atomic_store_n(&ek_migrate_pending, 1, __ATOMIC_RELEASE);
}

uint32_t ek_moving_phase(void) {
  return __atomic_load_n(&phase_now, __ATOMIC_RELAXED);
}

bool ek_moving_replans(void) {
  return __atomic_exchange_n(&replan_wanted, 0, __ATOMIC_ACQUIRE);
}

void ek_moving_look_later(void) {
  const uint64_t now = __atomic_load_n(&phases_over, __ATOMIC_RELAXED);
  if (__atomic_load_n(&look_again, __ATOMIC_RELAXED) <= now)
    __atomic_store_n(&look_again,
                     now + __atomic_load_n(&look_pause, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
}

bool ek_moving_looks_again(void) {
  const uint64_t at = __atomic_load_n(&look_again, __ATOMIC_RELAXED);
  if (!at || at > __atomic_load_n(&phases_over, __ATOMIC_RELAXED))
    return false;
  __atomic_store_n(&look_again, 0, __ATOMIC_RELAXED);
  const uint64_t pause = __atomic_load_n(&look_pause, __ATOMIC_RELAXED);
  __atomic_store_n(&look_pause, 2 * pause, __ATOMIC_RELAXED);
  return true;
}

void ek_migrate_replan(void) {
  __atomic_store_n(&replan_wanted, 1, __ATOMIC_RELEASE);
  ek_moving_pending();
}

void ek_migrate_look(void) {
  __atomic_store_n(&look_pause, 1, __ATOMIC_RELAXED);
  ek_moving_pending();
}

void ek_migrate_phase(uint32_t phase) {
  __atomic_store_n(&phase_now, phase, __ATOMIC_RELAXED);
  const uint64_t over = __atomic_add_fetch(&phases_over, 1, __ATOMIC_RELAXED);
  const uint64_t again = __atomic_load_n(&look_again, __ATOMIC_RELAXED);
  if (again && again <= over)
    ek_moving_pending();
  if (ek_share_news())
    ek_moving_pending(); /* another rank may have freed fast memory */
  const ek_plan *plan = ek_plan_of_now();
  if (!plan || plan->change_count == 0)
    return;
  size_t done = __atomic_load_n(&plan->changes_done, __ATOMIC_RELAXED);
  if (done < plan->change_count && plan->changes[done].phase <= phase)
    ek_moving_pending();
}
