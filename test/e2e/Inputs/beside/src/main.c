// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "room.h"
#include <stdio.h>

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 20000;
  double *own = malloc(n * sizeof *own), *a = room(n), s = part(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    own[i] = a[i];
  for (long i = 0; i < n; i++)
    s += own[i];
  printf("%g\n", s);
  free(a);
  free(own);
}
