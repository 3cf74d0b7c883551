/*===- samples.h - a sample of a step's look-ups -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: threads sample one look-up in EK_ROWS_EVERY, at random distances, so
 * no pattern of the program is missed. Of those, a table keeps a bounded number
 * per step, drawn uniformly (Vitter's algorithm R), however many there are.
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
  uint64_t seen;      /* in this step */
  uint64_t seen_fast; /* of these, look-ups of rows in the slab */
} ek_row_samples;

bool ek_row_samples_make(ek_row_samples *s, uint32_t most);
void ek_row_samples_free(ek_row_samples *s);
void ek_row_samples_add(ek_row_samples *s, uint32_t row, bool fast);
/* How many are kept now. */
uint32_t ek_row_samples_kept(const ek_row_samples *s);
/* Look-ups that each of them stands for. */
float ek_row_samples_each(const ek_row_samples *s);
void ek_row_samples_begin(ek_row_samples *s);
/* How many look-ups the calling thread leaves out next. */
unsigned ek_row_samples_gap(void);

#endif
