/*===- state.c - whether the runtime runs --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See state.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/state.h"
#include "core/options.h"
#include "format/ek_sizes.h"

#include <pthread.h>

size_t ek_threshold = EK_LARGE_BYTES, ek_least = EK_LARGE_BYTES;
uint32_t ek_phase_now;
bool ek_new_places, ek_aligned_new_places;

static bool started; /* the start has ended, successfully or not */
static bool on, small;
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool starting __attribute__((tls_model("initial-exec")));

bool ek_running(void) {
  return __atomic_load_n(&started, __ATOMIC_ACQUIRE) && on;
}

void ek_state_runs(void) { on = true; }
void ek_state_small(void) { small = true; }

void ek_state_lock(void) { pthread_mutex_lock(&start_lock); }
void ek_state_unlock(void) { pthread_mutex_unlock(&start_lock); }

bool ek_start(void) {
  if (__atomic_load_n(&started, __ATOMIC_ACQUIRE))
    return ek_threshold != SIZE_MAX;
  if (starting)
    return false;
  ek_state_lock();
  if (!started) {
    starting = true;
    bool places = ek_start_rooms();
    size_t threshold = places ? (size_t)ek_opt.threshold : SIZE_MAX;
    if (threshold == 0)
      threshold = 1; /* blocks of size 0 stay with the C library */
    __atomic_store_n(&ek_threshold, threshold, __ATOMIC_RELAXED);
    __atomic_store_n(&ek_least, places && small ? 1 : threshold,
                     __ATOMIC_RELAXED);
    starting = false;
    __atomic_store_n(&started, true, __ATOMIC_RELEASE);
  }
  ek_state_unlock();
  return ek_threshold != SIZE_MAX;
}
