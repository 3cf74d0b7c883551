// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unity.h"
#include <stdlib.h>

double *part(long n) {
  double *b = malloc(n * sizeof *b);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    b[i] = i % 7;
  return b;
}
