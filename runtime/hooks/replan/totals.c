/*===- totals.c - totals of loops that threads hand over ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See totals.h. There is one cell for each total, thread and phase, in memory
 * that the system provides when it is touched.
 *===----------------------------------------------------------------------===*/
#include "hooks/replan/totals.h"
#include "core/events.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "hooks/replan/balance.h"

#include <stdlib.h>

/* Written by its thread, read by looks. */
typedef struct cell {
  uint64_t key; /* of the last interval between hooks; 0: nothing was handed
                   over */
  int64_t count;
} cell;

/* What a thread handed over last. */
typedef struct latest {
  int64_t count;
  bool told;
} latest;

static const ek_plan *plan;
static cell *cells;   /* by total, phase and thread */
static latest *lasts; /* by total and thread */
static size_t phases, threads;
/* Looks have taken the cells before this one of phases before `taken`. */
static size_t taken, at;

void ek_totals_start(const ek_plan *of) {
  if (!of || !of->total_count || !of->replans || of->rank_count ||
      !of->step_count || !of->task_width)
    return;
  phases = of->steps[of->step_count - 1].phase + (size_t)1;
  threads = of->task_width;
  if (phases > EK_MOST_TOTALS / threads / of->total_count) {
    ek_count(EK_WHY_totals_lost, of->total_count);
    return;
  }
  cells = calloc(of->total_count * phases * threads, sizeof *cells);
  lasts = calloc(of->total_count * threads, sizeof *lasts);
  if (cells && lasts)
    __atomic_store_n(&plan, of, __ATOMIC_RELEASE);
}

bool ek_totals_wanted(void) {
  return __atomic_load_n(&plan, __ATOMIC_RELAXED) != NULL;
}

/* The number of the total among those of the plan; total_count: it is none. */
static size_t find(const ek_plan *of, uint64_t region, uint64_t total) {
  size_t from = 0, to = of->total_count;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const ek_plan_total *t = &of->totals[middle];
    if (t->region == region && t->handed_as == total)
      return middle;
    if (t->region < region || (t->region == region && t->handed_as < total))
      from = middle + 1;
    else
      to = middle;
  }
  return of->total_count;
}

void ek_totals_keep(uint64_t region, uint64_t total, uint32_t thread,
                    int64_t count) {
  const ek_plan *of = __atomic_load_n(&plan, __ATOMIC_ACQUIRE);
  const uint32_t phase = ek_balance_phase();
  const size_t row = of ? find(of, region, total) : 0;
  if (!of || row == of->total_count || thread >= threads || phase >= phases)
    return;
  cell *c = &cells[(row * phases + phase) * threads + thread];
  const uint64_t key = ek_balance_key();
  if (__atomic_load_n(&c->key, __ATOMIC_RELAXED) == key)
    count += __atomic_load_n(&c->count, __ATOMIC_RELAXED);
  __atomic_store_n(&c->count, count, __ATOMIC_RELAXED);
  __atomic_store_n(&c->key, key, __ATOMIC_RELEASE);
  latest *last = &lasts[row * threads + thread];
  if (last->told && last->count == count)
    return;
  last->told = true;
  last->count = count;
  ek_tell_departed();
}

size_t ek_totals_take(ek_value_told *out, size_t most) {
  const ek_plan *of = __atomic_load_n(&plan, __ATOMIC_ACQUIRE);
  const size_t now = ek_balance_phase();
  size_t count = 0;
  for (; of && taken < now && taken < phases; ++taken, at = 0)
    for (; at < of->total_count * threads; ++at) {
      const cell *c =
          &cells[(at / threads * phases + taken) * threads + at % threads];
      if (!__atomic_load_n(&c->key, __ATOMIC_ACQUIRE))
        continue;
      if (count == most)
        return count;
      out[count++] =
          (ek_value_told){of->totals[at / threads].symbol,
                          __atomic_load_n(&c->count, __ATOMIC_RELAXED),
                          (uint32_t)taken, (uint32_t)(at % threads)};
    }
  return count;
}
