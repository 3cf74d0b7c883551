/*===- heat.c - 2-D heat equation, Jacobi steps by blocks as tasks --------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Explicit finite differences for u_t = div(k grad u) on the unit square with
 * a conductivity that varies in space. Each block of each step is one OpenMP
 * task; `depend` orders it after the blocks around it in the step before, so
 * steps overlap and the only wait is the one at the end. The clauses name one
 * mark per block and buffer, not the data (as task codes usually do).
 *
 *   heat N BLOCKS STEPS [--out FILE]     N x N points, BLOCKS x BLOCKS blocks
 *===----------------------------------------------------------------------===*/
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *name) {
  fprintf(stderr, "heat: error: %s: %s\n", what, name);
  exit(2);
}

/* Rows [i0, i1) and columns [j0, j1) of the new grid from the old one. */
static void block_step(int64_t n, const double *old, const double *k,
                       double *next, int64_t i0, int64_t i1, int64_t j0,
                       int64_t j1) {
  for (int64_t i = i0; i < i1; i++)
    for (int64_t j = j0; j < j1; j++) {
      int64_t c = i * n + j;
      next[c] = old[c] + k[c] * (old[c - n] + old[c + n] + old[c - 1] +
                                 old[c + 1] - 4 * old[c]);
    }
}

static void start(int64_t n, double *u, double *v, double *k) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      double x = (double)j / (double)(n - 1), y = (double)i / (double)(n - 1);
      u[i * n + j] = i == 0 ? x : y * (1 - x);
      v[i * n + j] = u[i * n + j];
      k[i * n + j] = 0.05 + 0.2 * x * y;
    }
}

static double *run(int64_t n, int64_t blocks, int64_t steps, double *u,
                   double *v, const double *k) {
  int64_t width = blocks + 2;
  /* One mark per buffer and block, with a border so that edges need no case. */
  char *marks = malloc((size_t)(2 * width * width));
  if (!marks)
    die("out of memory", "marks");
  int64_t inner = n - 2;
#pragma omp parallel
#pragma omp single
  for (int64_t t = 0; t < steps; t++) {
    double *old = t % 2 ? v : u, *next = t % 2 ? u : v;
    char *from = marks + (t % 2) * width * width;
    char *to = marks + (1 - t % 2) * width * width;
    for (int64_t bi = 0; bi < blocks; bi++)
      for (int64_t bj = 0; bj < blocks; bj++) {
        int64_t m = (bi + 1) * width + bj + 1;
        int64_t i0 = 1 + inner * bi / blocks;
        int64_t i1 = 1 + inner * (bi + 1) / blocks;
        int64_t j0 = 1 + inner * bj / blocks;
        int64_t j1 = 1 + inner * (bj + 1) / blocks;
#pragma omp task depend(in : from[m], from[m - width], from[m + width],        \
                            from[m - 1], from[m + 1]) depend(out : to[m])
        block_step(n, old, k, next, i0, i1, j0, j1);
      }
  }
  free(marks);
  return steps % 2 ? v : u;
}

int main(int argc, char **argv) {
  int64_t n = argc > 3 ? atoll(argv[1]) : 0;
  int64_t blocks = argc > 3 ? atoll(argv[2]) : 0;
  int64_t steps = argc > 3 ? atoll(argv[3]) : -1;
  const char *out = argc == 6 && !strcmp(argv[4], "--out") ? argv[5] : NULL;
  if (n < 3 || n > 100000 || blocks < 1 || blocks > n - 2 || steps < 0 ||
      (argc != 4 && !out)) {
    fprintf(stderr, "usage: heat N BLOCKS STEPS [--out FILE]\n");
    return 2;
  }
  size_t bytes = (size_t)(n * n) * sizeof(double);
  double *u = malloc(bytes), *v = malloc(bytes), *k = malloc(bytes);
  if (!u || !v || !k)
    die("out of memory", "grids");
  start(n, u, v, k);
  double *result = run(n, blocks, steps, u, v, k);

  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += result[i * n + n / 2];
  printf("%lld x %lld points, %lld steps: mean of the middle column %.17g\n",
         (long long)n, (long long)n, (long long)steps, sum / (double)n);
  if (out) {
    FILE *f = fopen(out, "wb");
    if (!f || fwrite(result, 1, bytes, f) != bytes || fclose(f))
      die(strerror(errno), out);
  }
  free(k);
  free(v);
  free(u);
  return 0;
}
