#include "copies.h"

void first(long n) {
  auto *a = static_cast<double *>(malloc(n * sizeof(double)));
  auto *b = static_cast<double *>(calloc(n, sizeof(double)));
  auto *c = static_cast<float *>(calloc(n, sizeof(float)));
  fill(a, n);
  add(a, b, n);
  halve(b, n);
  add(c, c, n);
  printf("%g\n", a[1] + b[n - 1] + c[0]);
  free(a);
  free(b);
  free(c);
}
