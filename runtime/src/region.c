/*===- region.c - ek_region_begin and ek_region_end ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one block per thread, found by thread-local pointer; blocks of ended
 * threads are taken over by new ones, so that sums survive and memory does not
 * grow with the number of threads ever started.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "region.h"
#include "evenkeel/ek.h"
#include "object.h"
#include "raw.h"
#include "state.h"
#include "stats.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { SLOTS = 128, DEPTH = 16 };

typedef struct block {
  struct block *next;
  bool busy;
  unsigned depth;
  struct {
    uint64_t id, start;
    uint32_t phase;
  } open[DEPTH];
  ek_region_sum sums[SLOTS]; /* open addressing; times == 0: free */
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *blocks;
static pthread_key_t key;
static bool have_key;
static _Thread_local block *mine __attribute__((tls_model("initial-exec")));

/* Explicit tasks of OpenMP 5.2; older libraries do not tell. */
int omp_in_explicit_task(void) __attribute__((weak, visibility("default")));

void ek_regions_lock(void) { pthread_mutex_lock(&lock); }
void ek_regions_unlock(void) { pthread_mutex_unlock(&lock); }

static void thread_ends(void *b) {
  pthread_mutex_lock(&lock);
  ((block *)b)->busy = false;
  pthread_mutex_unlock(&lock);
}

static block *my_block(void) {
  if (mine)
    return mine;
  pthread_mutex_lock(&lock);
  if (!have_key)
    have_key = pthread_key_create(&key, thread_ends) == 0;
  block *b = blocks;
  while (b && b->busy)
    b = b->next;
  if (!b && (b = calloc(1, sizeof *b))) {
    b->next = blocks;
    blocks = b;
  }
  if (b) {
    b->busy = true;
    b->depth = 0;
  }
  pthread_mutex_unlock(&lock);
  if (b && have_key)
    pthread_setspecific(key, b);
  return mine = b;
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

EXPORT void ek_region_begin(uint64_t id) {
  if (!ek_running())
    return;
  block *b = my_block();
  if (!b)
    return;
  if (b->depth < DEPTH) {
    b->open[b->depth].id = id;
    b->open[b->depth].phase = __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED);
    b->open[b->depth].start = now_ns();
  }
  ++b->depth;
}

static void add_time(block *b, uint64_t id, uint64_t ns) {
  uint32_t thread = ek_creator();
  size_t at = (size_t)((id + thread) * 0x9e3779b97f4a7c15ULL >> 40) % SLOTS;
  for (unsigned tries = 0; tries < SLOTS; ++tries, at = (at + 1) % SLOTS) {
    ek_region_sum *s = &b->sums[at];
    if (s->times && (s->region != id || s->thread != thread))
      continue;
    s->region = id;
    s->thread = thread;
    __atomic_store_n(&s->ns, s->ns + ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->times, s->times + 1, __ATOMIC_RELEASE);
    return;
  }
  ek_count(EK_WHY_region_table_full, 1);
}

EXPORT void ek_region_end(uint64_t id) {
  if (!ek_running())
    return;
  block *b = mine;
  if (!b || b->depth == 0 ||
      (b->depth <= DEPTH && b->open[b->depth - 1].id != id)) {
    ek_count(EK_WHY_region_unmatched, 1);
    return;
  }
  if (--b->depth >= DEPTH) {
    ek_count(EK_WHY_region_unmatched, 1);
    return;
  }
  uint64_t ns = now_ns() - b->open[b->depth].start;
  add_time(b, id, ns);
  if (ek_raw_on)
    ek_raw_add_task(id, b->open[b->depth].phase,
                    omp_in_explicit_task && omp_in_explicit_task(), ns);
}

void ek_regions_each(void (*f)(const ek_region_sum *s, void *data),
                     void *data) {
  pthread_mutex_lock(&lock);
  for (block *b = blocks; b; b = b->next)
    for (unsigned i = 0; i < SLOTS; ++i)
      if (__atomic_load_n(&b->sums[i].times, __ATOMIC_ACQUIRE))
        f(&b->sums[i], data);
  pthread_mutex_unlock(&lock);
}
