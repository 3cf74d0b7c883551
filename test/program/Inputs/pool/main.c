#include "pool.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double help(double *a, long n) {
  memset(a, 0, n * sizeof *a);
  double s;
#pragma omp parallel
#pragma omp single
  s = quick(a, n);
  return s;
}
int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 5000;
  double *a = 0;
  if (posix_memalign((void **)&a, 64, n * sizeof *a))
    return 1;
  fill(n);
  printf("%g\n", walk(1024) + help(a, n));
  free(a);
  return 0;
}
