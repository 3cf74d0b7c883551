/*===- late.c - contributions of a rank that no round has taken ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See late.h.
 *===----------------------------------------------------------------------===*/
#include "relaxed/late.h"
#include "collectives/ek_choice.h"

#include <stdlib.h>
#include <string.h>

static size_t width(const ek_late *l) {
  return l->single ? sizeof(float) : sizeof(double);
}

static void *slot(const ek_late *l, uint64_t iteration) {
  return (char *)l->values + iteration % l->most * l->count * width(l);
}

bool ek_late_make(ek_late *l, size_t count, bool single, unsigned bound) {
  memset(l, 0, sizeof *l);
  l->count = count;
  l->single = single;
  l->bound = bound;
  l->most = (uint64_t)bound + 1;
  l->values = calloc(l->most * (count ? count : 1), width(l));
  return l->values;
}

void ek_late_free(ek_late *l) {
  free(l->values);
  l->values = NULL;
}

void ek_late_add(ek_late *l, const void *values) {
  if (l->next - l->from == l->most) {
    ++l->from;
    ++l->dropped;
  }
  memcpy(slot(l, l->next++), values, l->count * width(l));
}

bool ek_late_any(const ek_late *l) { return l->from < l->next; }

bool ek_late_take(ek_late *l, void *out) {
  double all = 0;
  memset(out, 0, l->count * width(l));
  if (!ek_late_any(l))
    return false;
  const uint64_t newest = l->next - 1;
  for (uint64_t t = l->from; t <= newest; ++t)
    all += (double)ek_choice_weight(t, newest, l->bound);
  for (uint64_t t = l->from; t <= newest; ++t) {
    const double w = (double)ek_choice_weight(t, newest, l->bound) / all;
    if (l->single)
      for (size_t i = 0; i < l->count; ++i)
        ((float *)out)[i] += (float)w * ((const float *)slot(l, t))[i];
    else
      for (size_t i = 0; i < l->count; ++i)
        ((double *)out)[i] += w * ((const double *)slot(l, t))[i];
  }
  l->merged += newest - l->from;
  l->from = l->next;
  return true;
}
