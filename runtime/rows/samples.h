/*===- samples.h - a sample of a step's look-ups -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: threads sample look-ups at random distances, so no pattern of the
 * program is missed. A table keeps a bounded number per step, drawn uniformly
 * (Vitter's algorithm R), however many there are; and the next step's distance
 * is chosen so that about as many are sampled as are kept.
 * Looking up and adding are thread-safe; what ends a step is not.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ROWS_SAMPLES_H
#define EVENKEEL_RUNTIME_ROWS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ek_row_samples {
  uint32_t *rows;
  uint32_t most;      /* that are kept */
  unsigned every;     /* look-ups, on average, per sample */
  uint64_t seen;      /* in this step */
  uint64_t seen_fast; /* of these, look-ups of rows in the slab */
  uint64_t stand_for; /* look-ups */
} ek_row_samples;

bool ek_row_samples_make(ek_row_samples *s, uint32_t most);
void ek_row_samples_free(ek_row_samples *s);
/* A sampled look-up of the calling thread. Returns how many it leaves out
 * next. */
unsigned ek_row_samples_add(ek_row_samples *s, uint32_t row, bool fast);
/* How many are kept now. */
uint32_t ek_row_samples_kept(const ek_row_samples *s);
/* Look-ups that each of them stands for. */
float ek_row_samples_each(const ek_row_samples *s);
/* The next step begins. */
void ek_row_samples_begin(ek_row_samples *s);

#endif
