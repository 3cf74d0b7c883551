/* acquired.c - branches that fork and join, whose tasks acquire their data
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * acquired LAYERS N: each layer is two tasks that read the layer's input of N
 * doubles and a third that adds their results; the way back needs what the way
 * forward made. Each task acquires the blocks that its depend clauses name, and
 * finds them where `at` says. Prints a value and a sum over the bits of all
 * results, which depends neither on the order of tasks nor on where data is.
 */
#include <evenkeel/ek.h>
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

static void scale(double *to, const double *from, long n, double by) {
  ek_need needs[] = {EK_NEED(from, n * sizeof *from, EK_READ),
                     EK_NEED(to, n * sizeof *to, EK_WRITE)};
  ek_acquire_all(0x31, needs, 2);
  fill(needs[1].at, needs[0].at, n, by);
  ek_release_all(0x31, needs, 2);
}

static void join(double *to, const double *a, const double *b, long n) {
  ek_need needs[] = {EK_NEED(a, n * sizeof *a, EK_READ),
                     EK_NEED(b, n * sizeof *b, EK_READ),
                     EK_NEED(to, n * sizeof *to, EK_WRITE)};
  ek_acquire_all(0x32, needs, 3);
  add(needs[2].at, needs[0].at, needs[1].at, n);
  ek_release_all(0x32, needs, 3);
}

static void back_through(double *to, const double *a, const double *b,
                         const double *g, long n) {
  ek_need needs[] = {EK_NEED(a, n * sizeof *a, EK_READ),
                     EK_NEED(b, n * sizeof *b, EK_READ),
                     EK_NEED(g, n * sizeof *g, EK_READ),
                     EK_NEED(to, n * sizeof *to, EK_READ_WRITE)};
  ek_acquire_all(0x33, needs, 4);
  double *r = needs[3].at;
  const double *x = needs[0].at, *y = needs[1].at, *z = needs[2].at;
  for (long i = 0; i < n; i++)
    r[i] = 0.25 * x[i] * y[i] + z[i];
  ek_release_all(0x33, needs, 4);
}

int main(int argc, char **argv) {
  const int layers = argc > 1 ? atoi(argv[1]) : 4;
  const long n = argc > 2 ? atol(argv[2]) : 65536;
  if (layers < 1 || layers > Most || n < 1)
    return 2;
  double *in[Most + 1], *left[Most], *right[Most], *back[Most + 1];
  for (int l = 0; l <= layers; l++) {
    in[l] = ek_malloc(1, (size_t)n * sizeof(double));
    back[l] = ek_malloc(2, (size_t)n * sizeof(double));
  }
  for (int l = 0; l < layers; l++) {
    left[l] = ek_malloc(3, (size_t)n * sizeof(double));
    right[l] = ek_malloc(4, (size_t)n * sizeof(double));
  }
  for (long i = 0; i < n; i++)
    in[0][i] = (double)(i % 7) / 7;
#pragma omp parallel
#pragma omp single
  {
    for (int l = 0; l < layers; l++) {
      double *x = in[l], *a = left[l], *b = right[l], *y = in[l + 1];
#pragma omp task depend(in : x[0]) depend(out : a[0])
      scale(a, x, n, 0.25);
#pragma omp task depend(in : x[0]) depend(out : b[0])
      scale(b, x, n, -0.125);
#pragma omp task depend(in : a[0], b[0]) depend(out : y[0])
      join(y, a, b, n);
    }
    double *last = in[layers], *first = back[layers];
#pragma omp task depend(in : last[0]) depend(out : first[0])
    scale(first, last, n, 1);
    for (int l = layers; l-- > 0;) {
      double *a = left[l], *b = right[l], *g = back[l + 1], *to = back[l];
#pragma omp task depend(in : a[0], b[0], g[0]) depend(out : to[0])
      back_through(to, a, b, g, n);
    }
  }
  ek_bring_home();
  unsigned long long bits = 0;
  for (int l = 0; l <= layers; l++)
    for (long i = 0; i < n; i++) {
      union {
        double d;
        unsigned long long u;
      } v[2] = {{back[l][i]}, {in[l][i]}};
      bits = bits * 31 + v[0].u + 7 * v[1].u;
    }
  printf("%.17g %llx\n", back[0][n / 2], bits);
  for (int l = 0; l < layers; l++) {
    ek_free(left[l]);
    ek_free(right[l]);
  }
  for (int l = 0; l <= layers; l++) {
    ek_free(in[l]);
    ek_free(back[l]);
  }
  return 0;
}
