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

enum { LINE = 64 };

typedef struct row_table {
  ek_rows head; /* first */
  void *own;
} row_table;

int ek_rows_open(ek_rows **table, ek_size rows, ek_size row_bytes,
                 const ek_rows_options *options) {
  const int status = ek_rows_check_(table, rows, row_bytes, options);
  if (status)
    return status;
  row_table *t = calloc(1, sizeof *t);
  if (!t)
    return ENOMEM;
  t->head.row_bytes = row_bytes;
  t->head.ways = calloc(rows / 2 + 1, 1);
  t->head.home = options ? options->home : NULL;
  if (!t->head.home && (t->own = calloc(rows * row_bytes + LINE, 1)))
    t->head.home = (char *)t->own + (LINE - (uintptr_t)t->own % LINE) % LINE;
  if (!t->head.ways || !t->head.home) {
    ek_rows_close(&t->head);
    return ENOMEM;
  }
  *table = &t->head;
  return 0;
}

int ek_rows_step(ek_rows *table) { return table ? 0 : EINVAL; }

void ek_rows_close(ek_rows *table) {
  row_table *t = (row_table *)table;
  if (!t)
    return;
  free(t->own);
  free(t->head.ways);
  free(t);
}

int ek_rows_count(const ek_rows *table, ek_rows_counts *counts, ek_size size) {
  if (!table || !counts || size != sizeof *counts)
    return EINVAL;
  memset(counts, 0, size);
  return 0;
}

unsigned ek_rows_looked_up(const ek_rows *table, ek_size row) {
  (void)table, (void)row;
  return UINT_MAX;
}
