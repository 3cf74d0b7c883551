// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// The same address, computed on each path to the store through it, is known
// like one that is computed once.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), ones = atoi(argv[2]);
  double *like = malloc(n * sizeof *like), *data = malloc(n * sizeof *data);
  int *at = malloc(n * ones * sizeof *at);
#pragma omp parallel for
  for (int x = 0; x < n; x++) {
    int y;
    for (y = 0; y < ones; y++)
      at[x * ones + y] = (int)data[x] + y;
    like[x] = 0;
    for (y = 0; y < ones; y++)
      like[x] += data[at[x * ones + y]] / 50.0;
    like[x] = like[x] / (double)ones;
  }
  printf("%f\n", like[n / 2]);
  return 0;
}
// CHECK-NOT: unknown-object
// CHECK: {{^}}  twins.c:15:13 malloc@twins.c:8:18 stream(8) element 8 reads 0 writes {{.*}} + share(main:n) exact
// CHECK-NOT: unknown-object
// INPUTS 24 5 | 38 11
