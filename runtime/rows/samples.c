/*===- samples.c - a sample of a step's look-ups ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See samples.h.
 *===----------------------------------------------------------------------===*/
#include "rows/samples.h"
#include "core/tuning.h"

#include <stdlib.h>

bool ek_row_samples_make(ek_row_samples *s, uint32_t most) {
  *s = (ek_row_samples){.most = most, .every = EK_ROWS_EVERY};
  s->rows = calloc((size_t)most + 1, sizeof *s->rows);
  return s->rows;
}

void ek_row_samples_free(ek_row_samples *s) { free(s->rows); }

/* xorshift64. Threads begin with different numbers, the same in each run. */
static _Thread_local uint64_t state;

static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 16;
}

static void seed(void) {
  static uint64_t threads;
  const uint64_t n = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
  state = n * 0x9e3779b97f4a7c15ULL;
}

static _Thread_local unsigned left_out; /* before the next sample */

static unsigned leave_out(const ek_row_samples *s) {
  return left_out = (unsigned)(draw() % (2 * s->every - 1));
}

static void add(ek_row_samples *s, uint32_t row, bool fast) {
  uint64_t at = __atomic_fetch_add(&s->seen, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&s->stand_for, left_out + 1, __ATOMIC_RELAXED);
  if (fast)
    __atomic_fetch_add(&s->seen_fast, 1, __ATOMIC_RELAXED);
  if (at >= s->most)
    at = draw() % (at + 1);
  if (at < s->most)
    __atomic_store_n(&s->rows[at], row, __ATOMIC_RELAXED);
}

/* A thread's first look-up is no sample: programs may start threads for few
 * look-ups, and the first of these may always be the same. */
unsigned ek_row_samples_add(ek_row_samples *s, uint32_t row, bool fast) {
  if (state)
    add(s, row, fast);
  else
    seed();
  return leave_out(s);
}

uint32_t ek_row_samples_kept(const ek_row_samples *s) {
  return s->seen < s->most ? (uint32_t)s->seen : s->most;
}

float ek_row_samples_each(const ek_row_samples *s) {
  const uint32_t kept = ek_row_samples_kept(s);
  return kept ? (float)s->stand_for / (float)kept : 0;
}

void ek_row_samples_begin(ek_row_samples *s) {
  const uint64_t every = s->stand_for / s->most;
  s->every = every < EK_ROWS_LEAST_EVERY  ? EK_ROWS_LEAST_EVERY
             : every > EK_ROWS_MOST_EVERY ? EK_ROWS_MOST_EVERY
                                          : (unsigned)every;
  s->seen = s->seen_fast = s->stand_for = 0;
}
