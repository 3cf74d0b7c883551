/*===- ek_rows.h - look-ups of a table's rows in a raw stream ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the sections of a stream (ek_raw.h) that say how often tasks looked
 * rows up, in a full record (mode 2). Each thread keeps a summary per region
 * and object, at most EK_ROWS_KEPT rows whatever the table's size, by the
 * space-saving algorithm of Metwally, Agrawal and El Abbadi, 2005. The count of
 * a row is too high by at most `over`. A row that is not listed was looked up
 * at most `error` times, and that is at most lookups / EK_ROWS_KEPT. Beside it,
 * each thread keeps exact counts of a sample of rows (RowSample.h), which tell
 * how look-ups are distributed over all rows.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_ROWS_H
#define EVENKEEL_EK_ROWS_H

#include "format/ek_raw.h"

/* Rows per summary and sample, and summaries per thread: 224 KiB each, 56 MiB
 * at most. */
#define EK_ROWS_KEPT 4096
#define EK_ROWS_SAMPLED 2048
#define EK_ROW_TABLES 256

/* In order of (region, inst, row_bytes, first, worker). A last row with inst =
 * EK_NO_TASK has the look-ups of summaries beyond EK_ROW_TABLES. */
#define EK_RAW_ROWT EK_TAG('R', 'O', 'W', 'T')
typedef struct ek_raw_row_table {
  uint64_t region;
  uint32_t inst;
  uint32_t worker;    /* that kept the summary */
  uint64_t row_bytes; /* from a row to the next */
  uint64_t first;     /* byte of the object at which row 0 begins */
  uint64_t lookups, error;
  uint32_t rows;    /* of ROWC */
  uint32_t sampled; /* rows of ROWS */
  uint32_t shift;   /* one row in 2^shift was sampled */
  uint32_t reserved;
} ek_raw_row_table;

/* The rows of one table after the other, by row. */
#define EK_RAW_ROWC EK_TAG('R', 'O', 'W', 'C')
typedef struct ek_raw_row_count {
  uint64_t row, lookups, over;
} ek_raw_row_count;

/* The sampled rows of one table after the other, by row; exact. */
#define EK_RAW_ROWS EK_TAG('R', 'O', 'W', 'S')
typedef struct ek_raw_row_sample {
  uint64_t row, lookups;
} ek_raw_row_sample;

/* A number that looks random (the last step of splitmix64, Steele et al. 2014).
 */
static inline uint64_t ek_row_hash(uint64_t row) {
  uint64_t x = row + 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/* Whether `row` is in the sample of one row in 2^shift, shift < 64. */
static inline int ek_row_sampled(uint64_t row, uint32_t shift) {
  return !(ek_row_hash(row) & ~(UINT64_MAX >> shift));
}

#endif
