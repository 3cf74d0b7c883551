/*===- grid.c - what the build-system tests build -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#include "grid.h"

double grid_sum(const double *g, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += g[i];
  return sum;
}

double *grid_line(size_t n) {
  double *g = grid_new(n);
  for (size_t i = 0; i < n; ++i)
    g[i] = (double)i;
  return g;
}
