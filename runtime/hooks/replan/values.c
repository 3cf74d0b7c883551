/*===- values.c - values that the program hands over --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See values.h. Values wait for the next look in a ring; if that is full, the
 * oldest ones are lost, and counted.
 *===----------------------------------------------------------------------===*/
#include "hooks/replan/values.h"
#include "core/stats.h"
#include "hooks/replan/balance.h"

#include <sched.h>
#include <stdlib.h>

enum { RING = 8192 };

/* What is known of a symbol. Written by the threads that hand values over. */
typedef struct symbol {
  int64_t value;
  uint32_t phase;
  bool told;
} symbol;

static const ek_plan *plan;
static symbol *symbols; /* by ek_plan_value.index */

/* A turn is 1 + the number of values before this one; 0: none yet. */
static const uint64_t WRITTEN = UINT64_MAX; /* a thread is writing */
static struct {
  uint64_t turn;
  ek_value_told its;
} ring[RING];
static uint64_t head, tail; /* values put into the ring, taken out of it */

void ek_values_start(const ek_plan *of) {
  if (!of || !of->value_count || !of->replans)
    return;
  symbols = calloc(of->symbol_count, sizeof *symbols);
  if (symbols)
    __atomic_store_n(&plan, of, __ATOMIC_RELEASE);
}

void ek_values_forked(void) {
  for (size_t i = 0; i < RING; ++i)
    if (ring[i].turn == WRITTEN)
      ring[i].turn = 0;
  tail = head;
}

/* Turns of a place only grow: a thread that was interrupted while others went
 * once round must not leave an older turn behind, at which ek_values_take()
 * would wait. */
static void put(ek_value_told its) {
  const uint64_t n = __atomic_fetch_add(&head, 1, __ATOMIC_RELAXED);
  uint64_t *const turn = &ring[n % RING].turn;
  uint64_t seen = __atomic_load_n(turn, __ATOMIC_RELAXED);
  do {
    while (seen == WRITTEN) {
      sched_yield();
      seen = __atomic_load_n(turn, __ATOMIC_RELAXED);
    }
    if (seen > n)
      return; /* a newer value is there; ek_values_take() counts this one */
  } while (!__atomic_compare_exchange_n(turn, &seen, WRITTEN, true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  __atomic_thread_fence(__ATOMIC_RELEASE);
  ring[n % RING].its = its;
  __atomic_store_n(turn, n + 1, __ATOMIC_RELEASE);
}

size_t ek_values_take(ek_value_told *out, size_t most) {
  const uint64_t end = __atomic_load_n(&head, __ATOMIC_ACQUIRE);
  size_t count = 0;
  if (end - tail > RING) {
    ek_count(EK_WHY_values_lost, end - tail - RING);
    tail = end - RING;
  }
  for (; tail != end && count < most; ++tail) {
    const uint64_t turn =
        __atomic_load_n(&ring[tail % RING].turn, __ATOMIC_ACQUIRE);
    if (turn <= tail || turn == WRITTEN)
      break; /* not there yet */
    out[count] = ring[tail % RING].its;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    /* Otherwise another value has just overwritten it. */
    if (turn == tail + 1 &&
        __atomic_load_n(&ring[tail % RING].turn, __ATOMIC_RELAXED) == turn)
      ++count;
    else
      ek_count(EK_WHY_values_lost, 1);
  }
  return count;
}

/* Stores one value. Returns whether it differs from the expected
 * one. */
static bool store(const ek_plan_value *row, int64_t value, uint32_t phase) {
  symbol *s = &symbols[row->index];
  const bool told = __atomic_load_n(&s->told, __ATOMIC_RELAXED);
  const int64_t last = __atomic_load_n(&s->value, __ATOMIC_RELAXED);
  if (told && last == value &&
      __atomic_load_n(&s->phase, __ATOMIC_RELAXED) == phase)
    return false;
  __atomic_store_n(&s->value, value, __ATOMIC_RELAXED);
  __atomic_store_n(&s->phase, phase, __ATOMIC_RELAXED);
  __atomic_store_n(&s->told, true, __ATOMIC_RELAXED);
  put((ek_value_told){row->symbol, value, phase, EK_NO_TASK});
  return told ? last != value : !row->expects || row->expected != (double)value;
}

bool ek_values_wanted(void) {
  return __atomic_load_n(&plan, __ATOMIC_RELAXED) != NULL;
}

bool ek_values_keep(uint64_t region, uint64_t variable, int64_t value) {
  const ek_plan *of = __atomic_load_n(&plan, __ATOMIC_ACQUIRE);
  if (!of)
    return false;
  const ek_plan_value *row = ek_plan_values_of(of, region);
  const ek_plan_value *end = of->values + of->value_count;
  for (; row != end && row->region == region; ++row)
    if (row->handed_as == variable)
      return store(row, value, ek_balance_phase());
  return false;
}
