/* hot.c - lookups.c, with the table's hot rows in fast memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The table is opened as rows, a row's address comes from ek_row, and a step
 * after each batch exchanges rows.
 *   hot [EPOCHS]
 */
#include <evenkeel/ek_rows.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 1 << 21, Row = 64, Lookups = 500000, Batch = 50000 };

int main(int argc, char **argv) {
  const int epochs = argc > 1 ? atoi(argv[1]) : 1;
  ek_rows *table;
  ek_rows_options options = {sizeof options};
  options.fast_bytes = 8 << 20;
  options.decay = 0.02; /* a batch has few look-ups of each row */
  int *index = malloc(sizeof(int) * Lookups);
  if (!index || ek_rows_open(&table, Rows, Row * sizeof(float), &options) != 0)
    return 1;
  unsigned long long draw = 1;
  for (int i = 0; i < Lookups; ++i) {
    draw = draw * 6364136223846793005ull + 1442695040888963407ull;
    const double u = (double)(draw >> 40) / (double)(1 << 24);
    index[i] = (int)((unsigned)(u * u * u * Rows) * 40503u & (Rows - 1));
  }
  float sum = 0;
  for (int n = 0; n < epochs * Lookups; ++n) {
    float *row = ek_row(table, (size_t)index[n % Lookups]);
    for (int k = 0; k < Row; ++k)
      sum += row[k] += 1;
    if ((n + 1) % Batch == 0)
      ek_rows_step(table);
  }
  printf("sum %.0f\n", sum);
  ek_rows_close(table);
  free(index);
  return 0;
}
