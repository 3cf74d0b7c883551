/* lookups.c - a table of which few rows get most of the look-ups
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looks up rows of a table, as embeddings are, and changes them.
 */
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 1 << 21, Row = 64, Lookups = 500000 }; /* 512 MiB */

int main(void) {
  float *table = calloc((size_t)Rows * Row, sizeof *table);
  int *index = malloc(sizeof(int) * Lookups);
  if (!table || !index)
    return 1;
  unsigned long long draw = 1;
  for (int i = 0; i < Lookups; ++i) {
    draw = draw * 6364136223846793005ull + 1442695040888963407ull;
    const double u = (double)(draw >> 40) / (double)(1 << 24);
    /* the power favours some rows, and the factor puts these far apart */
    index[i] = (int)((unsigned)(u * u * u * Rows) * 40503u & (Rows - 1));
  }
  float sum = 0;
  for (int i = 0; i < Lookups; ++i)
    for (int k = 0; k < Row; ++k)
      sum += table[(long)index[i] * Row + k] += 1;
  printf("sum %.0f\n", sum);
  free(table);
  free(index);
  return 0;
}
