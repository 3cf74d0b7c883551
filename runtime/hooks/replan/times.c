/*===- times.c - times of threads and explicit tasks --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See times.h. Each thread writes two slots in turn, because it can be at most
 * one barrier ahead of its team's first thread.
 *===----------------------------------------------------------------------===*/
#include "hooks/replan/times.h"
#include "core/stats.h"
#include "format/ek_sizes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Key 0: an empty slot. */
typedef struct slot {
  uint64_t key, ns;
} slot;
static struct {
  slot by_turns[2];
} __attribute__((aligned(EK_LINE))) threads[EK_TIMED_THREADS];

/* The explicit tasks that a thread ran in an interval, by region. */
typedef struct kinds {
  uint64_t key;
  struct {
    uint64_t region, tasks, ns;
  } of[EK_TASK_KINDS]; /* unused ones have no region */
} kinds;
static struct {
  kinds by_turns[2];
} __attribute__((aligned(EK_LINE))) explicits[EK_TIMED_THREADS];

static uint32_t thread_count;

static void know_thread(uint32_t thread) {
  uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  while (thread >= known &&
         !__atomic_compare_exchange_n(&thread_count, &known, thread + 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void ek_balance_task(uint32_t thread, uint64_t key, uint64_t ns) {
  if (thread >= EK_TIMED_THREADS)
    return;
  slot *s = &threads[thread].by_turns[key & 1];
  if (__atomic_load_n(&s->key, __ATOMIC_RELAXED) != key) {
    __atomic_store_n(&s->ns, ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->key, key, __ATOMIC_RELEASE);
  } else {
    /* Threads outside teams may have the same number. */
    __atomic_fetch_add(&s->ns, ns, __ATOMIC_RELAXED);
  }
  know_thread(thread);
}

void ek_balance_explicit(uint32_t thread, uint64_t region, uint64_t key,
                         uint64_t ns) {
  if (thread >= EK_TIMED_THREADS)
    return;
  kinds *k = &explicits[thread].by_turns[key & 1];
  const uint64_t last = __atomic_load_n(&k->key, __ATOMIC_RELAXED);
  if (last > key) /* it outlived its interval */
    return;
  if (last != key) {
    memset(k->of, 0, sizeof k->of);
    __atomic_store_n(&k->key, key, __ATOMIC_RELEASE);
  }
  unsigned i = 0;
  for (; i < EK_TASK_KINDS; ++i) {
    const uint64_t its = __atomic_load_n(&k->of[i].region, __ATOMIC_RELAXED);
    if (!its || its == region)
      break;
  }
  if (i == EK_TASK_KINDS) {
    ek_count(EK_WHY_task_kinds_lost, 1);
    return;
  }
  __atomic_store_n(&k->of[i].region, region, __ATOMIC_RELAXED);
  __atomic_fetch_add(&k->of[i].tasks, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&k->of[i].ns, ns, __ATOMIC_RELAXED);
  know_thread(thread);
}

uint32_t ek_times_take(uint64_t key, double *seconds, uint32_t count) {
  const uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  uint32_t have = 0;
  for (uint32_t t = 0; t < known; ++t) {
    const slot *s = &threads[t].by_turns[key & 1];
    if (__atomic_load_n(&s->key, __ATOMIC_ACQUIRE) != key)
      continue;
    ++have;
    if (t < count)
      seconds[t] = (double)__atomic_load_n(&s->ns, __ATOMIC_RELAXED) * 1e-9;
  }
  return have;
}

uint32_t ek_times_threads(uint64_t key) { return ek_times_take(key, NULL, 0); }

/* What thread \p thread ran in interval \p key; NULL: nothing. */
static const kinds *kinds_of(uint32_t thread, uint64_t key) {
  const kinds *k = &explicits[thread].by_turns[key & 1];
  return __atomic_load_n(&k->key, __ATOMIC_ACQUIRE) == key ? k : NULL;
}

double ek_times_of_kind(uint64_t key, uint64_t region, uint64_t *tasks) {
  const uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  uint64_t ns = 0;
  for (uint32_t t = 0; t < known; ++t) {
    const kinds *k = kinds_of(t, key);
    for (unsigned i = 0; k && i < EK_TASK_KINDS; ++i)
      if (__atomic_load_n(&k->of[i].region, __ATOMIC_RELAXED) == region) {
        *tasks += __atomic_load_n(&k->of[i].tasks, __ATOMIC_RELAXED);
        ns += __atomic_load_n(&k->of[i].ns, __ATOMIC_RELAXED);
      }
  }
  return (double)ns * 1e-9;
}

uint32_t ek_times_kind_threads(uint64_t key) {
  const uint32_t known = __atomic_load_n(&thread_count, __ATOMIC_RELAXED);
  uint32_t have = 0;
  for (uint32_t t = 0; t < known; ++t)
    have += kinds_of(t, key) != NULL;
  return have;
}
