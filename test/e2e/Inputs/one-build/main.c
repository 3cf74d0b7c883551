//===- main.c - a program of two units and a library -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "work.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000;
  double *a = make(n), *b = malloc(n * sizeof *b);
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    b[i] = i;
  for (int r = 0; r < 5; ++r)
    scale(a, b, n);
  printf("last %g, extra %d\n", a[n - 1], extra());
  return 0;
}
