//===- ends.c - a program that ends in the way that its argument says --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "fine";
  if (!strcmp(how, "early")) {
    fprintf(stderr, "ends: no such input\n");
    return 4;
  }
  if (!strcmp(how, "lies")) {
    fprintf(stderr, "evenkeel: error: no such file\n"
                    "ends: it ended with status 9\n");
    return 4;
  }
  if (!strcmp(how, "crash"))
    *(volatile int *)8 = 0;
  const long n = 1000000;
  double *a = malloc(n * sizeof *a), sum = 0;
  for (int round = 0; round < 10; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++) {
      a[i] = (double)(i + round);
      sum += a[i];
    }
  }
  printf("%g\n", sum);
  free(a);
  return !strcmp(how, "late") ? 3 : 0;
}
