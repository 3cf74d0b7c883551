/*===- sums.c - counts and times kept per thread ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one block per thread, in thread-local storage. New threads take over
 * the blocks of threads that ended, so sums survive, and memory does not grow
 * with the number of threads ever started. A block is a chain of hash tables
 * (open addressing). A full table is followed by a larger one and never moves,
 * so the summary can read tables while other threads write.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/sums.h"
#include "core/events.h"
#include "core/stats.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 128, PROBES = 16 };

typedef struct table {
  struct table *larger;
  size_t slots;
  ek_sum sums[]; /* open addressing */
} table;

typedef struct block {
  struct block *next;
  bool busy;
  table *first;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *blocks;
static pthread_key_t key;
static bool have_key;
static _Thread_local block *mine __attribute__((tls_model("initial-exec")));

void ek_sums_lock(void) { pthread_mutex_lock(&lock); }
void ek_sums_unlock(void) { pthread_mutex_unlock(&lock); }

static void thread_ends(void *b) {
  pthread_mutex_lock(&lock);
  ((block *)b)->busy = false;
  pthread_mutex_unlock(&lock);
  mine = NULL; /* later destructors of this thread may still reach hooks */
}

static table *new_table(size_t slots) {
  table *t = calloc(1, sizeof *t + slots * sizeof *t->sums);
  if (t)
    t->slots = slots;
  return t;
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
  if (b)
    b->busy = true;
  pthread_mutex_unlock(&lock);
  if (b && have_key)
    pthread_setspecific(key, b);
  return mine = b;
}

static void add(enum ek_sum_kind kind, uint64_t id, uint32_t which,
                uint64_t times, uint64_t ns, uint64_t hooks,
                const uint64_t *counts) {
  block *b = my_block();
  if (!b) {
    ek_count(EK_WHY_sum_lost, 1);
    return;
  }
  uint64_t hash = (id + which * 2u + kind) * 0x9e3779b97f4a7c15ULL >> 32;
  table **at = &b->first;
  for (size_t slots = FIRST_SLOTS;;
       slots = (*at)->slots * 4, at = &(*at)->larger) {
    if (!*at) {
      table *t = new_table(slots);
      if (!t) {
        ek_count(EK_WHY_sum_lost, 1);
        return;
      }
      __atomic_store_n(at, t, __ATOMIC_RELEASE);
    }
    for (unsigned i = 0; i < PROBES; ++i) {
      ek_sum *s = &(*at)->sums[(hash + i) % (*at)->slots];
      if (s->used &&
          (s->id != id || s->kind != (uint32_t)kind || s->which != which))
        continue;
      s->id = id;
      s->kind = kind;
      s->which = which;
      __atomic_store_n(&s->ns, s->ns + ns, __ATOMIC_RELAXED);
      __atomic_store_n(&s->times, s->times + times, __ATOMIC_RELAXED);
      __atomic_store_n(&s->hooks, s->hooks + hooks, __ATOMIC_RELAXED);
      for (unsigned c = 0; counts && c < EK_COUNTERS; ++c)
        __atomic_store_n(&s->counts[c], s->counts[c] + counts[c],
                         __ATOMIC_RELAXED);
      __atomic_store_n(&s->used, true, __ATOMIC_RELEASE);
      return;
    }
  }
}

static void hook(uint64_t id, bool team) {
  add(EK_SUM_HOOK, id, team, 1, 0, 0, NULL);
}

static void region_ran(const ek_ran *r) {
  add(EK_SUM_REGION, r->region, r->thread, 1, r->ns, r->hooks, r->counts);
}

static void part_ran(uint64_t code, uint32_t thread, uint64_t times,
                     uint64_t ns, const uint64_t *counts) {
  add(EK_SUM_TEAM, code, thread, times, ns, 0, counts);
}

void ek_sums_start(void) {
  ek_listen_hook(hook);
  ek_listen_region_ran(region_ran);
  ek_listen_part_ran(part_ran);
}

void ek_sum_place(uint64_t code, uint32_t what, int64_t times) {
  add(EK_SUM_PLACE, code, what, (uint64_t)times, 0, 0, NULL);
}

static int by_id(const void *a, const void *b) {
  const ek_sum *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->which < y->which ? -1 : x->which > y->which;
}

size_t ek_sums_take(enum ek_sum_kind kind, ek_sum **sums) {
  ek_sum *all = NULL;
  size_t count = 0, slots = 0;
  pthread_mutex_lock(&lock);
  for (block *b = blocks; b; b = b->next)
    for (table *t = __atomic_load_n(&b->first, __ATOMIC_ACQUIRE); t;
         t = __atomic_load_n(&t->larger, __ATOMIC_ACQUIRE))
      for (size_t i = 0; i < t->slots; ++i) {
        if (!__atomic_load_n(&t->sums[i].used, __ATOMIC_ACQUIRE) ||
            t->sums[i].kind != (uint32_t)kind)
          continue;
        if (count == slots) {
          slots = slots ? slots * 2 : 64;
          ek_sum *bigger = realloc(all, slots * sizeof *all);
          if (!bigger) {
            ek_count(EK_WHY_sum_lost, 1);
            goto out;
          }
          all = bigger;
        }
        all[count++] = t->sums[i];
      }
out:
  pthread_mutex_unlock(&lock);
  *sums = all;
  return ek_sums_join(all, count);
}

size_t ek_sums_join(ek_sum *sums, size_t count) {
  if (count)
    qsort(sums, count, sizeof *sums, by_id);
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i)
    if (kept && sums[kept - 1].id == sums[i].id &&
        sums[kept - 1].which == sums[i].which) {
      sums[kept - 1].times += sums[i].times;
      sums[kept - 1].ns += sums[i].ns;
      sums[kept - 1].hooks += sums[i].hooks;
      for (unsigned c = 0; c < EK_COUNTERS; ++c)
        sums[kept - 1].counts[c] += sums[i].counts[c];
    } else {
      sums[kept++] = sums[i];
    }
  return kept;
}
