/*===- fft.c - one-dimensional complex FFT in six steps -------------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The six-step form (Bailey 1990): the N = N1 * N2 points are a matrix of N1
 * rows; transpose, transform the rows, multiply by the twiddle factors,
 * transpose, transform the rows, transpose. Rows are transformed by Stockham's
 * algorithm with a scratch row per thread. Each repetition transforms forwards
 * and back, so that the data stays what it was up to rounding.
 *
 *   fft LOG2N REPETITIONS [--verify] [--out FILE]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "fft"
#include "row.h"

/* to (columns x rows) = from (rows x columns), by tiles that fit the L1. */
static void transpose(int64_t rows, int64_t columns, const value *from,
                      value *to) {
  const int64_t tile = 16;
#pragma omp parallel for schedule(static)
  for (int64_t jj = 0; jj < columns; jj += tile)
    for (int64_t ii = 0; ii < rows; ii += tile)
      for (int64_t j = jj; j < jj + tile && j < columns; j++)
        for (int64_t i = ii; i < ii + tile && i < rows; i++)
          to[j * rows + i] = from[i * columns + j];
}

static void transform_rows(int64_t rows, int64_t n, const value *root,
                           int inverse, value *x) {
#pragma omp parallel
  {
    value *scratch = need(malloc((size_t)n * sizeof(value)));
#pragma omp for schedule(static)
    for (int64_t i = 0; i < rows; i++)
      transform_row(n, root, inverse, x + i * n, scratch);
    free(scratch);
  }
}

static void multiply_twiddles(int64_t n, const value *twiddle, int inverse,
                              value *x) {
  double sign = inverse ? -1 : 1;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    value w = {twiddle[i].re, sign * twiddle[i].im};
    x[i] = times(x[i], w);
  }
}

struct plan {
  int64_t n1, n2;
  value *twiddle;       /* n2 x n1: exp(-2 pi i j k / N) at row j, column k */
  value *root1, *root2; /* of the rows of length n1 and n2 */
};

static struct plan make_plan(int log2n) {
  struct plan p;
  p.n1 = (int64_t)1 << (log2n / 2);
  p.n2 = (int64_t)1 << (log2n - log2n / 2);
  p.root1 = make_roots(p.n1);
  p.root2 = make_roots(p.n2);
  int64_t n = p.n1 * p.n2, n1 = p.n1;
  value *twiddle = need(malloc((size_t)n * sizeof(value)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    twiddle[i] = root_of_unity((i / n1) * (i % n1), n);
  p.twiddle = twiddle;
  return p;
}

/* x becomes its transform; y is scratch of the same size. */
static void forward(const struct plan *p, value *x, value *y) {
  transpose(p->n1, p->n2, x, y);
  transform_rows(p->n2, p->n1, p->root1, 0, y);
  multiply_twiddles(p->n1 * p->n2, p->twiddle, 0, y);
  transpose(p->n2, p->n1, y, x);
  transform_rows(p->n1, p->n2, p->root2, 0, x);
  transpose(p->n1, p->n2, x, y);
}

/* The steps backwards: y holds the transform and is scratch, x the result. */
static void backward(const struct plan *p, value *y, value *x) {
  int64_t n = p->n1 * p->n2;
  transpose(p->n2, p->n1, y, x);
  transform_rows(p->n1, p->n2, p->root2, 1, x);
  transpose(p->n1, p->n2, x, y);
  multiply_twiddles(n, p->twiddle, 1, y);
  transform_rows(p->n2, p->n1, p->root1, 1, y);
  transpose(p->n2, p->n1, y, x);
  double scale = 1.0 / (double)n;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    x[i].re *= scale;
    x[i].im *= scale;
  }
}

static double energy(int64_t n, const value *x) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += x[i].re * x[i].re + x[i].im * x[i].im;
  return sum;
}

/* Largest difference of some values of the transform from the definition,
 * relative to the size that they have by chance. */
static double definition_error(int64_t n, const value *transformed) {
  double worst = 0;
  uint64_t seed = 7;
  for (int sample = 0; sample < 5; sample++) {
    int64_t k = sample ? (int64_t)(random_next(&seed) % (uint64_t)n) : 1;
    double re = 0, im = 0;
    for (int64_t j = 0; j < n; j++) {
      /* j * k mod n: n is a power of two of at most 2^28 */
      value t = times(input_at(j), root_of_unity((j * k) & (n - 1), n));
      re += t.re;
      im += t.im;
    }
    worst = fmax(worst, hypot(re - transformed[k].re, im - transformed[k].im));
  }
  return worst / sqrt((double)n);
}

int main(int argc, char **argv) {
  const char *usage = "LOG2N REPETITIONS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int log2n = (int)number(argc == 3 ? argv[1] : "", 2, 28, usage);
  int64_t repetitions = number(argv[2], 1, 1000, usage);
  int64_t n = (int64_t)1 << log2n;
  struct plan p = make_plan(log2n);
  value *x = need(malloc((size_t)n * sizeof(value)));
  value *y = need(malloc((size_t)n * sizeof(value)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    x[i] = input_at(i);
    y[i].re = y[i].im = 0;
  }
  double before = o.verify ? energy(n, x) : 0;
  int status = 0;
  for (int64_t r = 0; r < repetitions; r++) {
    forward(&p, x, y);
    if (o.verify && r == 0) {
      double after = energy(n, y) / (double)n;
      status |= judge("Parseval", fabs(after - before) / before, 1e-12);
      status |=
          judge("values from the definition", definition_error(n, y), 1e-9);
    }
    backward(&p, y, x);
  }
  if (o.verify) {
    double worst = 0;
    for (int64_t i = 0; i < n; i++) {
      value v = input_at(i);
      worst = fmax(worst, hypot(x[i].re - v.re, x[i].im - v.im));
    }
    status |= judge("forwards and back", worst, 1e-12);
  }
  printf("%lld points: x[1] = %.17g %.17g\n", (long long)n, x[1].re, x[1].im);
  if (o.out)
    write_out(o.out, x, (size_t)n * sizeof(value));
  free(y);
  free(x);
  free(p.root1);
  free(p.root2);
  free(p.twiddle);
  return status;
}
