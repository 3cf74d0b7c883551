/*===- slab.h - which rows lie in fast memory ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: each row lies in its home or in a slot of the slab. The slab is
 * divided into sets of EK_ROWS_WAYS slots; a hash of its number gives a row its
 * set, so four bits per row say where it is. That is all that a look-up reads
 * beside the row, and small enough for the caches: a table of slots by row
 * would miss them more often than the slab saves.
 * Not here: when rows are exchanged (rows.c). Not thread-safe: nobody looks up
 * rows meanwhile.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ROWS_SLAB_H
#define EVENKEEL_RUNTIME_ROWS_SLAB_H

#include "evenkeel/ek_rows.h"
#include "rows/weights.h"

typedef struct ek_slab {
  ek_rows *head; /* what ek_row reads */
  ek_weights *weights;
  uint32_t slots, used;
  unsigned ways;    /* of each set; fewer than EK_ROWS_WAYS if there are fewer
                       slots */
  uint32_t *row_of; /* by slot */
  bool read_only;   /* rows that leave need not be copied */
  uint64_t entered, left, copied_bytes;
} ek_slab;

#define EK_SLAB_FREE UINT32_MAX /* no row has this number */

/* How many of \p slots slots whole sets have. */
uint32_t ek_slab_whole(uint32_t slots);
/* Prepares \p slots slots, whole sets, in s->head->slab; 0: no slab. Returns
 * false if there is no memory. */
bool ek_slab_make(ek_slab *s, uint32_t slots);
void ek_slab_free(ek_slab *s);
static inline bool ek_slab_has(const ek_rows *head, size_t row) {
  return head->ways[row / 2] >> (row % 2 * 4) & 15;
}
/* The slot that \p row, which is in its home, would take: a free one of its
 * set, or the one whose row has the least weight. There are slots. */
uint32_t ek_slab_slot_for(ek_slab *s, uint32_t row);
/* The row in that slot goes home, and \p row takes it. */
void ek_slab_enter(ek_slab *s, uint32_t slot, uint32_t row);
/* All rows go home. */
void ek_slab_empty(ek_slab *s);

#endif
