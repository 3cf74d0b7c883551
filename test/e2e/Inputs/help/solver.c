/* solver.c - the program of the examples that --help shows
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * solver N ITERATIONS: Jacobi's method on a dense, diagonally dominant system.
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 500;
  const long iterations = argc > 2 ? atol(argv[2]) : 10;
  double *matrix = malloc(n * n * sizeof *matrix);
  double *now = malloc(n * sizeof *now);
  double *next = malloc(n * sizeof *next);
  if (!matrix || !now || !next)
    return 1;
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    now[i] = 0;
    for (long j = 0; j < n; ++j)
      matrix[i * n + j] = i == j ? 2.0 * (double)n : 1.0;
  }
  for (long k = 0; k < iterations; ++k) {
#pragma omp parallel for
    for (long i = 0; i < n; ++i) {
      double rest = 0;
      for (long j = 0; j < n; ++j)
        rest += j == i ? 0 : matrix[i * n + j] * now[j];
      next[i] = (1.0 - rest) / matrix[i * n + i];
    }
    double *other = now;
    now = next;
    next = other;
  }
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += now[i];
  printf("sum %.6f\n", sum);
  free(matrix);
  free(now);
  free(next);
  return 0;
}
