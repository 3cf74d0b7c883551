// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unity.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 20000;
  double *a = malloc(n * sizeof *a), *b = part(n), *c = made(n), s = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] * c[(i * 17) % n];
  for (long i = 0; i < n; i++)
    s += a[i];
  printf("%g\n", s);
  free(a);
  free(b);
  free(c);
}
