/*===- weights.c - how important each row is ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See weights.h.
 *===----------------------------------------------------------------------===*/
#include "rows/weights.h"

#include <stdlib.h>

enum { BLOCK = 256 }; /* rows that are rescaled together */

bool ek_weights_make(ek_weights *w, size_t rows) {
  const size_t blocks = rows / BLOCK + 1;
  *w = (ek_weights){.unit = 1};
  w->raw = calloc(blocks * BLOCK, sizeof *w->raw);
  w->rescaled = calloc(blocks, sizeof *w->rescaled);
  return w->raw && w->rescaled;
}

void ek_weights_free(ek_weights *w) {
  free(w->raw);
  free(w->rescaled);
}

static void refresh(ek_weights *w, uint32_t row) {
  const size_t block = row / BLOCK;
  float factor = 1;
  if (w->rescaled[block] == w->rescalings)
    return;
  for (; w->rescaled[block] != w->rescalings && factor > 0;
       ++w->rescaled[block])
    factor *= EK_WEIGHT_SCALE;
  w->rescaled[block] = w->rescalings;
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK; ++i)
    w->raw[i] *= factor;
}

void ek_weights_add(ek_weights *w, uint32_t row, float lookups) {
  refresh(w, row);
  w->raw[row] += w->unit * lookups;
}

float ek_weights_raw(ek_weights *w, uint32_t row) {
  refresh(w, row);
  return w->raw[row];
}

void ek_weights_age(ek_weights *w, float decay) {
  w->unit /= 1 - decay;
  if (w->unit < 1 / EK_WEIGHT_SCALE)
    return;
  w->unit *= EK_WEIGHT_SCALE;
  ++w->rescalings;
}
