/*===- region.c - ek_region_begin and ek_region_end ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the regions that are open on each thread. A task that waits may run
 * others on its thread: their time is theirs, not its.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "evenkeel/ek.h"
#include "object.h"
#include "raw.h"
#include "state.h"
#include "stats.h"
#include "sums.h"

#include <stdbool.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEPTH = 32 };

static _Thread_local struct {
  unsigned depth;
  struct {
    uint64_t id, start;
    uint64_t others; /* of regions inside, on this thread */
    uint32_t phase;
  } open[DEPTH];
} mine __attribute__((tls_model("initial-exec")));

/* Explicit tasks of OpenMP 5.2; older libraries do not tell. */
int omp_in_explicit_task(void) __attribute__((weak, visibility("default")));

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

EXPORT void ek_region_begin(uint64_t id) {
  if (!ek_running())
    return;
  if (mine.depth < DEPTH) {
    mine.open[mine.depth].id = id;
    mine.open[mine.depth].phase =
        __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED);
    mine.open[mine.depth].others = 0;
    mine.open[mine.depth].start = now_ns();
  }
  ++mine.depth;
}

EXPORT void ek_region_end(uint64_t id) {
  if (!ek_running())
    return;
  if (mine.depth == 0 ||
      (mine.depth <= DEPTH && mine.open[mine.depth - 1].id != id)) {
    ek_count(EK_WHY_region_unmatched, 1);
    return;
  }
  if (--mine.depth >= DEPTH) {
    ek_count(EK_WHY_region_too_deep, 1);
    return;
  }
  uint64_t whole = now_ns() - mine.open[mine.depth].start;
  uint64_t ns = whole - mine.open[mine.depth].others;
  if (mine.depth > 0)
    mine.open[mine.depth - 1].others += whole;
  ek_sum_add(EK_SUM_REGION, id, ek_creator(), ns);
  if (ek_raw_on)
    ek_raw_add_task(id, mine.open[mine.depth].phase,
                    omp_in_explicit_task && omp_in_explicit_task(), ns);
}
