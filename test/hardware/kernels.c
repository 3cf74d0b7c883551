/*===- kernels.c - kernels that hardware and cache model both run ---------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See kernels.h. Sizes: 20 to 120 MiB each, so that last levels of 4 to 32 MiB
 * hold a part of what is used again, but never all.
 *===----------------------------------------------------------------------===*/
#include "kernels.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  TRIAD_WORDS = 3 << 20, /* of each array */
  TRIAD_TIMES = 2,
  CHASE_LINES = 1 << 20,
  CHASE_TIMES = 2,
  ROWS = 1 << 20,
  ENTRIES = 8, /* of a row */
  HEAT_SIDE = 1536,
  HEAT_STEPS = 2,
  SMALL_ROWS = 1 << 17,
  LINE = 64
};

static uint64_t next(uint64_t *s) { /* xorshift64, Marsaglia 2003 */
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

static double triad(void) {
  size_t n = TRIAD_WORDS;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
         *c = malloc(n * sizeof *c);
  for (size_t i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = 2;
    c[i] = (double)i;
  }
  for (int t = 0; t < TRIAD_TIMES; t++)
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] + 0.5 * c[i];
  double sum = a[n / 3];
  free(c);
  free(b);
  free(a);
  return sum;
}

/* One cycle through all lines, in the order of a linear congruential generator
 * of full period (Hull and Dobell 1962). */
static double chase(void) {
  struct node {
    struct node *next;
    char rest[LINE - sizeof(void *)];
  } *nodes = aligned_alloc(LINE, (size_t)CHASE_LINES * LINE);
  for (uint64_t i = 0; i < CHASE_LINES; i++)
    nodes[i].next =
        &nodes[(i * 1664525 + 1013904223) & ((uint64_t)CHASE_LINES - 1)];
  struct node *p = nodes;
  for (long i = 0; i < (long)CHASE_TIMES * CHASE_LINES; i++)
    p = p->next;
  double where = (double)(p - nodes);
  free(nodes);
  return where;
}

/* Half of a row's columns lie near the diagonal, half anywhere. */
static double spmv(void) {
  int32_t *col = malloc((size_t)ROWS * ENTRIES * sizeof *col);
  double *val = malloc((size_t)ROWS * ENTRIES * sizeof *val);
  double *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
  uint64_t seed = 3;
  for (int32_t i = 0; i < ROWS; i++) {
    x[i] = i & 7;
    y[i] = 0;
    for (int k = 0; k < ENTRIES; k++) {
      int32_t near = (i + k) % ROWS;
      col[(size_t)i * ENTRIES + k] =
          k < ENTRIES / 2 ? near : (int32_t)(next(&seed) % ROWS);
      val[(size_t)i * ENTRIES + k] = 1.0 / (k + 1);
    }
  }
  for (int t = 0; t < 2; t++)
    for (int32_t i = 0; i < ROWS; i++) {
      double sum = 0;
      for (int k = 0; k < ENTRIES; k++)
        sum += val[(size_t)i * ENTRIES + k] * x[col[(size_t)i * ENTRIES + k]];
      y[i] += sum;
    }
  double out = y[ROWS / 3];
  free(y);
  free(x);
  free(val);
  free(col);
  return out;
}

static double heat(void) {
  size_t n = HEAT_SIDE;
  double *u = malloc(n * n * sizeof *u), *v = malloc(n * n * sizeof *v);
  for (size_t i = 0; i < n * n; i++)
    u[i] = v[i] = (double)(i % n);
  for (int t = 0; t < HEAT_STEPS; t++) {
    for (size_t i = 1; i + 1 < n; i++)
      for (size_t j = 1; j + 1 < n; j++) {
        size_t c = i * n + j;
        v[c] =
            u[c] + 0.1 * (u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4 * u[c]);
      }
    double *swap = u;
    u = v;
    v = swap;
  }
  double out = u[n * n / 3];
  free(v);
  free(u);
  return out;
}

/* C = A A by rows with a dense accumulator (Gustavson 1978); only C's row sums
 * are kept, so that writing C does not hide the rest. */
static double spgemm(void) {
  int32_t *col = malloc((size_t)SMALL_ROWS * ENTRIES * sizeof *col);
  double *val = malloc((size_t)SMALL_ROWS * ENTRIES * sizeof *val);
  double *sums = calloc(SMALL_ROWS, sizeof *sums);
  double *dense = calloc(SMALL_ROWS * 8, sizeof *dense);
  int32_t *used = malloc(ENTRIES * ENTRIES * sizeof *used);
  uint64_t seed = 5;
  for (size_t i = 0; i < (size_t)SMALL_ROWS * ENTRIES; i++) {
    col[i] = (int32_t)(next(&seed) % SMALL_ROWS);
    val[i] = 1.0 / (double)(1 + i % 5);
  }
  for (int32_t i = 0; i < SMALL_ROWS; i++) {
    int filled = 0;
    for (int k = 0; k < ENTRIES; k++) {
      size_t row = (size_t)col[(size_t)i * ENTRIES + k] * ENTRIES;
      double a = val[(size_t)i * ENTRIES + k];
      for (int m = 0; m < ENTRIES; m++) {
        int32_t at = col[row + m];
        if (dense[(size_t)at * 8] == 0)
          used[filled++] = at;
        dense[(size_t)at * 8] += a * val[row + m];
      }
    }
    while (filled) {
      int32_t at = used[--filled];
      sums[i] += dense[(size_t)at * 8];
      dense[(size_t)at * 8] = 0;
    }
  }
  double out = sums[SMALL_ROWS / 3];
  free(used);
  free(dense);
  free(sums);
  free(val);
  free(col);
  return out;
}

double kernel_run(const char *name) {
  if (!strcmp(name, "triad"))
    return triad();
  if (!strcmp(name, "chase"))
    return chase();
  if (!strcmp(name, "spmv"))
    return spmv();
  if (!strcmp(name, "heat"))
    return heat();
  if (!strcmp(name, "spgemm"))
    return spgemm();
  return NAN;
}

double kernel_lines(const char *name) {
  /* Filling walks through every array once; stores fetch their lines, too. */
  if (!strcmp(name, "triad"))
    return 3.0 * (1 + TRIAD_TIMES) * TRIAD_WORDS * sizeof(double) / LINE;
  if (!strcmp(name, "chase"))
    return (1.0 + CHASE_TIMES) * CHASE_LINES;
  return NAN;
}

#ifdef KERNEL_MAIN
#include <stdio.h>
int main(int argc, char **argv) {
  double r = kernel_run(argc > 1 ? argv[1] : "");
  printf("%g\n", r);
  return isnan(r);
}
#endif
