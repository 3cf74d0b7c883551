/*===- row.h - transforms of one row ------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: complex numbers, roots of unity, Stockham's transform of a row, and
 *the points that fft and fft-mpi transform. Include it behind PROGRAM.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_FFT_ROW_H
#define EVENKEEL_WORKLOADS_FFT_ROW_H

#include "../common/support.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

struct complex64 {
  double re, im;
};
typedef struct complex64 value;

static value times(value a, value b) {
  value c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}

static value root_of_unity(int64_t k, int64_t n) {
  double angle = -2 * pi * (double)(k % n) / (double)n;
  value w = {cos(angle), sin(angle)};
  return w;
}

/* Stockham's radix-2 transform of one row; n is a power of two. root[k] is
 * exp(-2 pi i k / n). The result ends in row. */
static void transform_row(int64_t n, const value *root, int inverse, value *row,
                          value *scratch) {
  value *from = row, *to = scratch;
  for (int64_t half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
    for (int64_t p = 0; p < half; p++) {
      value w = root[p * stride];
      if (inverse)
        w.im = -w.im;
      for (int64_t q = 0; q < stride; q++) {
        value a = from[q + stride * p], b = from[q + stride * (p + half)];
        value sum = {a.re + b.re, a.im + b.im};
        value difference = {a.re - b.re, a.im - b.im};
        to[q + stride * 2 * p] = sum;
        to[q + stride * (2 * p + 1)] = times(difference, w);
      }
    }
    value *swap = from;
    from = to;
    to = swap;
  }
  if (from != row)
    for (int64_t i = 0; i < n; i++)
      row[i] = from[i];
}

static value *make_roots(int64_t n) {
  value *root = need(malloc((size_t)n * sizeof(value)));
  for (int64_t k = 0; k < n; k++)
    root[k] = root_of_unity(k, n);
  return root;
}

static value input_at(int64_t i) {
  uint64_t seed = (uint64_t)i;
  double re = random_unit(&seed) - 0.5;
  value v = {re, random_unit(&seed) - 0.5};
  return v;
}

#endif
