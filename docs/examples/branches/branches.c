/* branches.c - layers of branches that fork and join, forward and backward
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * branches LAYERS N: each layer is two tasks that read the layer's input of N
 * doubles and a third that adds their results; the way back needs what the way
 * forward made. All data are blocks of their own, and tasks are ordered by
 * depend clauses. Prints a sum that does not depend on the order.
 */
#include <stdio.h>
#include <stdlib.h>

enum { Most = 16 };

static void fill(double *to, const double *from, long n, double by) {
  for (int pass = 0; pass < 4; pass++)
    for (long i = 0; i < n; i++)
      to[i] = from[i] * by + (pass ? 0.5 * to[i] : 0);
}

static void add(double *to, const double *a, const double *b, long n) {
  for (long i = 0; i < n; i++)
    to[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int layers = argc > 1 ? atoi(argv[1]) : 4;
  const long n = argc > 2 ? atol(argv[2]) : 65536;
  if (layers < 1 || layers > Most || n < 1)
    return 2;
  double *in[Most + 1], *left[Most], *right[Most], *back[Most + 1];
  for (int l = 0; l <= layers; l++) {
    in[l] = malloc((size_t)n * sizeof(double));
    back[l] = malloc((size_t)n * sizeof(double));
  }
  for (int l = 0; l < layers; l++) {
    left[l] = malloc((size_t)n * sizeof(double));
    right[l] = malloc((size_t)n * sizeof(double));
  }
  for (long i = 0; i < n; i++)
    in[0][i] = (double)(i % 7) / 7;
#pragma omp parallel
#pragma omp single
  {
    for (int l = 0; l < layers; l++) {
      double *x = in[l], *a = left[l], *b = right[l], *y = in[l + 1];
#pragma omp task depend(in : x[0]) depend(out : a[0])
      fill(a, x, n, 0.25);
#pragma omp task depend(in : x[0]) depend(out : b[0])
      fill(b, x, n, -0.125);
#pragma omp task depend(in : a[0], b[0]) depend(out : y[0])
      add(y, a, b, n);
    }
    double *last = in[layers], *first = back[layers];
#pragma omp task depend(in : last[0]) depend(out : first[0])
    fill(first, last, n, 1);
    for (int l = layers; l-- > 0;) {
      double *a = left[l], *b = right[l], *g = back[l + 1], *to = back[l];
#pragma omp task depend(in : a[0], b[0], g[0]) depend(out : to[0])
      {
        add(to, a, b, n);
        fill(to, g, n, 0.5);
      }
    }
  }
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += back[0][i];
  printf("%.12g\n", sum);
  for (int l = 0; l < layers; l++) {
    free(left[l]);
    free(right[l]);
  }
  for (int l = 0; l <= layers; l++) {
    free(in[l]);
    free(back[l]);
  }
  return 0;
}
