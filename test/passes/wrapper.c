// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// An allocation wrapper is one site; the sizes that its callers request are
// listed separately, each once, for readers that know an instance's size.
#include <stdio.h>
#include <stdlib.h>
static double *matrix(long rows, long columns) {
  double *p = malloc((size_t)(rows * columns) * sizeof(double));
  if (!p)
    exit(2);
  return p;
}
int main(int argc, char **argv) {
  long m = atol(argv[1]), n = atol(argv[2]);
  double *a = matrix(m, n), *b = matrix(m, n), *v = matrix(n, 1);
  for (long i = 0; i < m * n; i++)
    a[i] = b[i] = argc;
  for (long i = 0; i < n; i++)
    v[i] = a[i * m / 2] + b[i];
  printf("%g\n", v[n / 2]);
  return 0;
}
// CHECK: site malloc wrapper.c:7:15 size 8*main:{{.*}}*main:{{.*}} or 8*main:n live
// CHECK: giveup several-sizes 1
// INPUTS 24 5 | 38 11
