/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds up an array five times and ends with status 3. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000;
  double *a = malloc(n * sizeof *a), sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = (double)i;
  for (int turn = 0; turn < 5; turn++)
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
      sum += a[i];
  printf("%f\n", sum);
  return 3;
}
