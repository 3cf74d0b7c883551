// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

static double *room(long n) {
  double *r = malloc(n * sizeof *r);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    r[i] = i % 7;
  return r;
}

double part(long n);
