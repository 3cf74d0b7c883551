/*===- slab.c - which rows lie in fast memory ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See slab.h. The hash table has linear probing and is at most half full; what
 * leaves it is closed up, so it never fills with marks.
 *===----------------------------------------------------------------------===*/
#include "rows/slab.h"

#include <stdlib.h>
#include <string.h>

#define FREE UINT32_MAX /* no row has this number */

bool ek_slab_make(ek_slab *s, uint32_t slots) {
  ek_rows *const h = s->head;
  unsigned bits = 1;
  while (((size_t)1 << bits) < 2 * (size_t)slots)
    ++bits;
  h->mask = (unsigned)(((size_t)1 << bits) - 1);
  h->shift = 32 - bits;
  h->entries = malloc(((size_t)h->mask + 1) * sizeof *h->entries);
  s->row_of = calloc((size_t)slots + 1, sizeof *s->row_of);
  s->heap = calloc((size_t)slots + 1, sizeof *s->heap);
  if (!h->entries || !s->row_of || !s->heap)
    return false;
  s->slots = slots;
  for (size_t i = 0; i <= h->mask; ++i)
    h->entries[i] = (ek_rows_entry){FREE, 0};
  return true;
}

void ek_slab_free(ek_slab *s) {
  free(s->head->entries);
  free(s->row_of);
  free(s->heap);
}

/* --- the hash table ----------------------------------------------------------
 */

static unsigned place_of(const ek_rows *h, uint32_t row) {
  return (unsigned)row * 2654435769u >> h->shift;
}

static unsigned find(const ek_rows *h, uint32_t row) {
  unsigned at = place_of(h, row);
  while (h->entries[at].row != row && h->entries[at].row != FREE)
    at = (at + 1) & h->mask;
  return at;
}

static void note(ek_rows *h, uint32_t row, uint32_t slot) {
  h->entries[find(h, row)] = (ek_rows_entry){row, slot};
  h->in_slab[row / 64] |= (ek_id)1 << (row % 64);
}

/* An entry behind the gap moves into it unless its own place lies between. */
static void forget(ek_rows *h, uint32_t row) {
  unsigned gap = find(h, row);
  for (unsigned at = (gap + 1) & h->mask; h->entries[at].row != FREE;
       at = (at + 1) & h->mask) {
    const unsigned place = place_of(h, h->entries[at].row);
    if (((at - place) & h->mask) >= ((at - gap) & h->mask)) {
      h->entries[gap] = h->entries[at];
      gap = at;
    }
  }
  h->entries[gap].row = FREE;
  h->in_slab[row / 64] &= ~((ek_id)1 << (row % 64));
}

/* --- the heap ----------------------------------------------------------------
 */

static void sink(ek_slab *s, size_t at) {
  const ek_slab_key key = s->heap[at];
  for (size_t child; (child = 2 * at + 1) < s->used; at = child) {
    if (child + 1 < s->used &&
        s->heap[child + 1].weight < s->heap[child].weight)
      ++child;
    if (s->heap[child].weight >= key.weight)
      break;
    s->heap[at] = s->heap[child];
  }
  s->heap[at] = key;
}

static void rise(ek_slab *s, size_t at) {
  const ek_slab_key key = s->heap[at];
  for (; at > 0 && s->heap[(at - 1) / 2].weight > key.weight; at = (at - 1) / 2)
    s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = key;
}

float ek_slab_least(ek_slab *s) {
  for (;;) {
    const float now = ek_weights_raw(s->weights, s->row_of[s->heap[0].slot]);
    if (now <= s->heap[0].weight)
      return now;
    s->heap[0].weight = now;
    sink(s, 0);
  }
}

void ek_slab_rescale(ek_slab *s) {
  for (uint32_t i = 0; i < s->used; ++i)
    s->heap[i].weight *= EK_WEIGHT_SCALE;
}

/* --- rows --------------------------------------------------------------------
 */

static void copy_in(ek_slab *s, uint32_t row, uint32_t slot) {
  const size_t bytes = s->head->row_bytes;
  memcpy(s->head->slab + slot * bytes, s->head->home + row * bytes, bytes);
  s->row_of[slot] = row;
  note(s->head, row, slot);
  ++s->entered;
  s->copied_bytes += bytes;
}

static void copy_home(ek_slab *s, uint32_t slot) {
  const size_t bytes = s->head->row_bytes;
  const uint32_t row = s->row_of[slot];
  forget(s->head, row);
  ++s->left;
  if (s->read_only)
    return;
  memcpy(s->head->home + row * bytes, s->head->slab + slot * bytes, bytes);
  s->copied_bytes += bytes;
}

void ek_slab_enter(ek_slab *s, uint32_t row) {
  const uint32_t slot = s->used++;
  copy_in(s, row, slot);
  s->heap[slot] = (ek_slab_key){ek_weights_raw(s->weights, row), slot};
  rise(s, slot);
}

void ek_slab_exchange(ek_slab *s, uint32_t row) {
  const uint32_t slot = s->heap[0].slot;
  copy_home(s, slot);
  copy_in(s, row, slot);
  s->heap[0].weight = ek_weights_raw(s->weights, row);
  sink(s, 0);
}

void ek_slab_empty(ek_slab *s) {
  for (uint32_t slot = 0; slot < s->used; ++slot)
    copy_home(s, slot);
  s->used = 0;
}
