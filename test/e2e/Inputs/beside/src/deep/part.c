// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../include/room.h"

double part(long n) {
  double *own = malloc(n * sizeof *own), *b = room(n), s = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    own[i] = b[i] + 1;
  for (long i = 0; i < n; i++)
    s += own[i];
  free(b);
  free(own);
  return s;
}
