// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "room.h"
#include <stdio.h>

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 20000;
  double *a = room(n), *b = part(n), s = 0;
  for (long i = 0; i < n; i++)
    s += a[i] * b[i];
  printf("%g\n", s);
  free(a);
  free(b);
}
