/*===- weights.h - how important each row is -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a weight per row, the look-ups so far, each of which counts less the
 * longer ago it was: w' = (1 - decay) w + look-ups. For a row that is looked up
 * at a constant rate, that is also what to expect of the next 1 / decay steps.
 * A step ages all weights in constant time: the unit of what is added grows
 * instead. Rows are rescaled block by block, when they are next used.
 * Not here: which rows lie where (slab.h). Not thread-safe.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ROWS_WEIGHTS_H
#define EVENKEEL_RUNTIME_ROWS_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ek_weights {
  float *raw;         /* by row; divided by unit, it is the weight */
  uint32_t *rescaled; /* by block: how many rescalings it has had */
  uint32_t rescalings;
  float unit;
} ek_weights;

/* The factor of one rescaling. */
#define EK_WEIGHT_SCALE 1e-9f

/* Returns false if there is no memory. */
bool ek_weights_make(ek_weights *w, size_t rows);
void ek_weights_free(ek_weights *w);
void ek_weights_add(ek_weights *w, uint32_t row, float lookups);
/* The raw weight, to be compared with others. */
float ek_weights_raw(ek_weights *w, uint32_t row);
/* Ages all weights. */
void ek_weights_age(ek_weights *w, float decay);

#endif
