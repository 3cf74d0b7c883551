/*===- plain_rows.c - tables of rows without the runtime ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what evenkeel/ek_rows.h means in a static program: all rows stay in
 * the home array.
 *===----------------------------------------------------------------------===*/
#include "evenkeel/ek_rows.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  ek_rows head; /* first */
  void *own;
} table;

int ek_rows_open(ek_rows **out, ek_size rows, ek_size row_bytes,
                 const ek_rows_options *options) {
  if (!out || !row_bytes || (options && options->size != sizeof *options))
    return EINVAL;
  if (rows > UINT32_MAX)
    return EOVERFLOW;
  table *t = calloc(1, sizeof *t);
  if (!t)
    return ENOMEM;
  t->head.row_bytes = row_bytes;
  t->head.in_slab = calloc(rows / 64 + 1, sizeof *t->head.in_slab);
  t->head.home = options ? options->home : NULL;
  if (!t->head.home)
    t->head.home = t->own = calloc(rows ? rows : 1, row_bytes);
  if (!t->head.in_slab || !t->head.home) {
    ek_rows_close(&t->head);
    return ENOMEM;
  }
  *out = &t->head;
  return 0;
}

int ek_rows_step(ek_rows *head) { return head ? 0 : EINVAL; }

void ek_rows_close(ek_rows *head) {
  table *t = (table *)head;
  if (!t)
    return;
  free(t->own);
  free(t->head.in_slab);
  free(t);
}

int ek_rows_count(const ek_rows *head, ek_rows_counts *counts, ek_size size) {
  if (!head || !counts || size != sizeof *counts)
    return EINVAL;
  memset(counts, 0, size);
  return 0;
}

unsigned ek_rows_looked_up(const ek_rows *head, ek_size row) {
  (void)head, (void)row;
  return UINT_MAX;
}
