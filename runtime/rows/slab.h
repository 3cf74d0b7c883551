/*===- slab.h - which rows lie in fast memory ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: each row lies in its home or in a slot of the slab. A bit per row says
 * which; for the few rows of the slab, a hash table says which slot. So the
 * data that a look-up reads beside the row is small enough for the caches. A
 * heap of the slots by weight finds the row that leaves next. Weights only
 * grow between rescalings, so a slot whose weight has grown is moved down when
 * it comes to the top, and not before.
 * Not here: when rows are exchanged (rows.c). Not thread-safe: nobody looks up
 * rows meanwhile.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ROWS_SLAB_H
#define EVENKEEL_RUNTIME_ROWS_SLAB_H

#include "evenkeel/ek_rows.h"
#include "rows/weights.h"

typedef struct ek_slab_key {
  float weight; /* raw, at most what it is now */
  uint32_t slot;
} ek_slab_key;

typedef struct ek_slab {
  ek_rows *head; /* what ek_row reads */
  ek_weights *weights;
  uint32_t slots, used;
  uint32_t *row_of;  /* by slot */
  ek_slab_key *heap; /* of the used slots, the least weight first */
  bool read_only;    /* rows that leave need not be copied */
  uint64_t entered, left, copied_bytes;
} ek_slab;

/* Prepares \p slots slots, at most 2^30, in s->head->slab; 0: no slab. Returns
 * false if there is no memory. */
bool ek_slab_make(ek_slab *s, uint32_t slots);
void ek_slab_free(ek_slab *s);
static inline bool ek_slab_has(const ek_rows *head, size_t row) {
  return head->in_slab[row / 64] >> (row % 64) & 1;
}
/* Takes a row, which is in its home, into a free slot. */
void ek_slab_enter(ek_slab *s, uint32_t row);
/* The least raw weight of the rows in the slab, which is not empty. */
float ek_slab_least(ek_slab *s);
/* The row with the least weight, as ek_slab_least just found it, goes home; \p
 * row takes its slot. */
void ek_slab_exchange(ek_slab *s, uint32_t row);
/* The weights have been rescaled. */
void ek_slab_rescale(ek_slab *s);
/* All rows go home. */
void ek_slab_empty(ek_slab *s);

#endif
