#include "pool.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  struct pool *p = pool_open(100 * n);
  double *a = pool_get(p, n * sizeof *a), *b = pool_get(p, n * sizeof *b);
  double *c = checked(n * sizeof *c), *d = checked(n * sizeof *d);
  double s = argc;
  for (long i = 0; i < n; i++) {
    s += a[i];
    s -= b[n - i];
    s += c[i] * d[n - i];
  }
  printf("%g\n", s);
  return 0;
}
