/*===- ek_rows.h - a table whose hot rows lie in fast memory ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For embeddings, hash tables and the like, whose look-ups select rows, and few
 * rows get most of them. The table lies in slow memory; a slab in fast memory
 * holds as many rows as fit, and each row lies in exactly one of the two. Which
 * rows those are follows the look-ups:
 *
 *   ek_rows *t;
 *   if (ek_rows_open(&t, n, sizeof(row), NULL) != 0)
 *     return 1;
 *   for (step = 0; step < steps; ++step) {
 *     #pragma omp parallel for
 *     for (i = 0; i < batch; ++i)
 *       use((row *)ek_row(t, index[i]));
 *     ek_rows_step(t);                  exchanges rows; no thread reads now
 *   }
 *   ek_rows_close(t);
 *
 * Any number of threads may call ek_row at the same time, and read and write
 * rows as they would in an array. The address of a row is valid until the next
 * step of its table. A step is the program's part of the bargain: while it
 * runs, and until the threads have waited for it, no thread calls ek_row for
 * this table or uses an address from it.
 *
 * Statuses are 0 or values of errno. Nothing here ends the process. Without
 * room in fast memory all rows stay in slow memory, and the summary says
 * rows-no-slab. Link with -levenkeel.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_ROWS_H
#define EVENKEEL_EK_ROWS_H

#include "evenkeel/ek.h"

#include <errno.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row that leaves the slab is not copied back: the program writes to no row
 * while the table is open. */
#define EK_ROWS_READ_ONLY 1u
/* Each hook that ends a phase (ek_sync, outside parallel regions) is a step of
 * this table, too, if the thread that opened the table passes it. */
#define EK_ROWS_AT_HOOKS 2u

/* 0 in any member stands for what is said there. */
typedef struct ek_rows_options {
  ek_size size; /* sizeof(ek_rows_options) */
  ek_id site;   /* in the summary and the log; 0: 1 */
  /* The program's own array, which lies where the program has it. Between open
   * and close, use it by ek_row only. NULL: the runtime allocates one that
   * reads as zero, in the last tier. Rows of the runtime's arrays and of the
   * slab are aligned to what divides their size, up to 64. */
  void *home;
  ek_size fast_bytes; /* in fast memory, for the slab and four bits per row (if
                         these are the smaller half); 0: an eighth of the table.
                         At least EVENKEEL_THRESHOLD (64 KiB) */
  unsigned warm_up;   /* steps that only count; 0: 3 */
  unsigned budget;    /* most rows that enter the slab in a step; 0: an eighth
                         of its rows */
  double decay;       /* what a row's weight loses in a step, less than 1; 0:
                         0.1 */
  unsigned flags;     /* EK_ROWS_READ_ONLY, EK_ROWS_AT_HOOKS */
} ek_rows_options;

/* Since the table was opened. Look-ups are sampled: one in four, or fewer if a
 * step has many. */
typedef struct ek_rows_counts {
  ek_size slots, used; /* rows that the slab can hold, and holds */
  ek_id steps;
  ek_id sampled, sampled_fast; /* look-ups; of these, found in the slab */
  ek_id entered, left;         /* rows that came into the slab, and left it */
  ek_id copied_bytes;
  double step_fast; /* the share found in the slab before the last step */
} ek_rows_counts;

#if defined(__GNUC__)
#define EK_ROWS_INLINE static __inline__ __attribute__((unused))
#else
#define EK_ROWS_INLINE static inline
#endif

/* For ek_rows_open, in all builds alike: 0, EINVAL, or EOVERFLOW. */
EK_ROWS_INLINE int ek_rows_check_(const void *table, ek_size rows,
                                  ek_size row_bytes, const ek_rows_options *o) {
  if (!table || !row_bytes)
    return EINVAL;
  if (o && (o->size != sizeof *o || !(o->decay >= 0 && (float)o->decay < 1) ||
            (o->flags & ~(EK_ROWS_READ_ONLY | EK_ROWS_AT_HOOKS))))
    return EINVAL;
  if (rows > 4294967295u || rows > (((ek_size)-1) / 2 - 64) / row_bytes)
    return EOVERFLOW;
  return 0;
}

#ifndef EVENKEEL_DISABLE

/* What ek_row reads. Only a step changes it. */
typedef struct ek_rows {
  char *home, *slab;
  ek_size row_bytes;
  unsigned char *ways; /* four bits for each row: 0: it is in its home; else
                          which of the slots of its set it has */
  unsigned sets;
} ek_rows;
#define EK_ROWS_WAYS 15u

/* Opens a table of \p rows rows of \p row_bytes bytes. \p options may be NULL.
 * Returns 0 and sets *table; or EINVAL (a wrong argument), EOVERFLOW (more than
 * 4294967295 rows, or bytes than there are addresses), or ENOMEM. */
int ek_rows_open(ek_rows **table, ek_size rows, ek_size row_bytes,
                 const ek_rows_options *options);
/* Ages the weights, adds the look-ups since the last step, and exchanges rows
 * if that is expected to gain more than the copies cost. Returns 0; EBUSY:
 * another thread is in a step of this table, nothing is done. */
int ek_rows_step(ek_rows *table);
/* All rows are in the home array again. Frees the table, and an array that the
 * runtime allocated. NULL is ignored. */
void ek_rows_close(ek_rows *table);
/* Sets *counts; \p size is sizeof *counts. */
int ek_rows_count(const ek_rows *table, ek_rows_counts *counts, ek_size size);
/* For ek_row: a sampled look-up. Returns how many look-ups of the calling
 * thread pass until the next one. */
unsigned ek_rows_looked_up(const ek_rows *table, ek_size row);

#if defined(__GNUC__)
static __thread unsigned ek_rows_gap_ __attribute__((unused));
#elif defined(__cplusplus)
static thread_local unsigned ek_rows_gap_;
#else
static _Thread_local unsigned ek_rows_gap_;
#endif

/* The slots of the slab that row \p i may have, EK_ROWS_WAYS in each set. */
EK_ROWS_INLINE ek_size ek_rows_set(const ek_rows *t, ek_size i) {
  return (ek_size)((ek_id)((unsigned)i * 2654435769u) * t->sets >> 32);
}

/* The address of row \p i, which must be less than the number of rows; like an
 * array, the table does not check it. Constant time. */
EK_ROWS_INLINE void *ek_row(const ek_rows *t, ek_size i) {
  unsigned way;
  if (ek_rows_gap_-- == 0)
    ek_rows_gap_ = ek_rows_looked_up(t, i);
  way = t->ways[i / 2] >> (i % 2 * 4) & 15u;
  if (!way)
    return t->home + i * t->row_bytes;
  return t->slab + (ek_rows_set(t, i) * EK_ROWS_WAYS + way - 1) * t->row_bytes;
}

#else /* a plain array; no library is needed */

#include <stdlib.h>
#include <string.h>

typedef struct ek_rows {
  char *home, *own;
  ek_size row_bytes;
} ek_rows;

static inline int ek_rows_open(ek_rows **table, ek_size rows, ek_size row_bytes,
                               const ek_rows_options *options) {
  ek_rows *t;
  const int status = ek_rows_check_(table, rows, row_bytes, options);
  if (status)
    return status;
  t = (ek_rows *)calloc(1, sizeof *t);
  if (t && options && options->home)
    t->home = (char *)options->home;
  else if (t && (t->own = (char *)calloc(rows * row_bytes + 64, 1)))
    t->home = t->own + (64 - (ek_size)t->own % 64) % 64;
  if (!t || !t->home) {
    free(t);
    return ENOMEM;
  }
  t->row_bytes = row_bytes;
  *table = t;
  return 0;
}
static inline int ek_rows_step(ek_rows *table) { return table ? 0 : EINVAL; }
static inline void ek_rows_close(ek_rows *table) {
  if (table)
    free(table->own);
  free(table);
}
static inline int ek_rows_count(const ek_rows *table, ek_rows_counts *counts,
                                ek_size size) {
  if (!table || !counts || size != sizeof *counts)
    return EINVAL;
  memset(counts, 0, size);
  return 0;
}
static inline void *ek_row(const ek_rows *t, ek_size i) {
  return t->home + i * t->row_bytes;
}

#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
