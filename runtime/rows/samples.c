/*===- samples.c - a sample of a step's look-ups ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See samples.h.
 *===----------------------------------------------------------------------===*/
#include "rows/samples.h"
#include "core/tuning.h"

#include <stdlib.h>

bool ek_row_samples_make(ek_row_samples *s, uint32_t most) {
  *s = (ek_row_samples){.most = most};
  s->rows = calloc((size_t)most + 1, sizeof *s->rows);
  return s->rows;
}

void ek_row_samples_free(ek_row_samples *s) { free(s->rows); }

/* xorshift64; each thread begins with the same numbers, so that runs are
 * alike. */
static uint64_t draw(void) {
  static _Thread_local uint64_t state = 0x9e3779b97f4a7c15ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 16;
}

unsigned ek_row_samples_gap(void) {
  return (unsigned)(draw() % (2 * EK_ROWS_EVERY - 1));
}

void ek_row_samples_add(ek_row_samples *s, uint32_t row, bool fast) {
  uint64_t at = __atomic_fetch_add(&s->seen, 1, __ATOMIC_RELAXED);
  if (fast)
    __atomic_fetch_add(&s->seen_fast, 1, __ATOMIC_RELAXED);
  if (at >= s->most)
    at = draw() % (at + 1);
  if (at < s->most)
    __atomic_store_n(&s->rows[at], row, __ATOMIC_RELAXED);
}

uint32_t ek_row_samples_kept(const ek_row_samples *s) {
  return s->seen < s->most ? (uint32_t)s->seen : s->most;
}

float ek_row_samples_each(const ek_row_samples *s) {
  const uint32_t kept = ek_row_samples_kept(s);
  return kept ? (float)EK_ROWS_EVERY * (float)s->seen / (float)kept : 0;
}

void ek_row_samples_begin(ek_row_samples *s) { s->seen = s->seen_fast = 0; }
