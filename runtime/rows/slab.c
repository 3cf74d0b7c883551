/*===- slab.c - which rows lie in fast memory ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See slab.h.
 *===----------------------------------------------------------------------===*/
#include "rows/slab.h"

#include <stdlib.h>
#include <string.h>

uint32_t ek_slab_whole(uint32_t slots) {
  return slots < EK_ROWS_WAYS ? slots : slots / EK_ROWS_WAYS * EK_ROWS_WAYS;
}

bool ek_slab_make(ek_slab *s, uint32_t slots) {
  s->slots = slots;
  s->ways = slots < EK_ROWS_WAYS ? slots : EK_ROWS_WAYS;
  s->head->sets = s->ways ? slots / s->ways : 0;
  s->row_of = malloc(((size_t)slots + 1) * sizeof *s->row_of);
  for (uint32_t i = 0; s->row_of && i < slots; ++i)
    s->row_of[i] = EK_SLAB_FREE;
  return s->row_of;
}

void ek_slab_free(ek_slab *s) { free(s->row_of); }

/* \p way as ek_row reads it: 1 is the first of the set; 0: the row is at
 * home. */
static void set_way(ek_rows *h, uint32_t row, unsigned way) {
  const unsigned shift = row % 2 * 4;
  unsigned char *const byte = &h->ways[row / 2];
  *byte = (unsigned char)((*byte & ~(15u << shift)) | way << shift);
}

uint32_t ek_slab_slot_for(ek_slab *s, uint32_t row) {
  const uint32_t first = (uint32_t)ek_rows_set(s->head, row) * EK_ROWS_WAYS;
  uint32_t best = first;
  float least = 0;
  for (uint32_t slot = first; slot < first + s->ways; ++slot) {
    if (s->row_of[slot] == EK_SLAB_FREE)
      return slot;
    const float weight = ek_weights_raw(s->weights, s->row_of[slot]);
    if (slot == first || weight < least) {
      least = weight;
      best = slot;
    }
  }
  return best;
}

static void go_home(ek_slab *s, uint32_t slot) {
  const size_t bytes = s->head->row_bytes;
  const uint32_t row = s->row_of[slot];
  set_way(s->head, row, 0);
  s->row_of[slot] = EK_SLAB_FREE;
  --s->used;
  ++s->left;
  if (s->read_only)
    return;
  memcpy(s->head->home + row * bytes, s->head->slab + slot * bytes, bytes);
  s->copied_bytes += bytes;
}

void ek_slab_enter(ek_slab *s, uint32_t slot, uint32_t row) {
  const size_t bytes = s->head->row_bytes;
  if (s->row_of[slot] != EK_SLAB_FREE)
    go_home(s, slot);
  memcpy(s->head->slab + slot * bytes, s->head->home + row * bytes, bytes);
  s->row_of[slot] = row;
  set_way(s->head, row, slot % EK_ROWS_WAYS + 1);
  ++s->used;
  ++s->entered;
  s->copied_bytes += bytes;
}

void ek_slab_empty(ek_slab *s) {
  for (uint32_t slot = 0; slot < s->slots; ++slot)
    if (s->row_of[slot] != EK_SLAB_FREE)
      go_home(s, slot);
}
