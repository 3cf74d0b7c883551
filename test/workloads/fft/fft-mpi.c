/*===- fft-mpi.c - one-dimensional complex FFT, rows dealt out to ranks ---===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The six steps of fft.c (Bailey 1990). Each rank has an equal part of the
 * rows; transposing exchanges blocks among all ranks. The number of ranks
 * divides the rows: a power of two.
 *
 *   fft-mpi LOG2N REPETITIONS [--verify] [--out FILE]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "fft-mpi"
#include "row.h"
#include <mpi.h>

struct plan {
  int64_t n1, n2, rank, ranks;
  value *twiddle; /* own rows of n2 x n1 */
  value *root1, *root2, *scratch;
};

/* Own rows of the rows x columns matrix become own rows of its transpose:
 * blocks are transposed into `to`, exchanged, and put side by side. */
static void transpose(const struct plan *p, int64_t rows, int64_t columns,
                      const value *from, value *to, value *blocks) {
  int64_t mine = rows / p->ranks, theirs = columns / p->ranks;
  for (int64_t r = 0; r < p->ranks; r++)
    for (int64_t j = 0; j < theirs; j++)
      for (int64_t i = 0; i < mine; i++)
        to[(r * theirs + j) * mine + i] = from[i * columns + r * theirs + j];
  int count = (int)(2 * mine * theirs);
  MPI_Alltoall(to, count, MPI_DOUBLE, blocks, count, MPI_DOUBLE,
               MPI_COMM_WORLD);
  for (int64_t r = 0; r < p->ranks; r++)
    for (int64_t j = 0; j < theirs; j++)
      for (int64_t i = 0; i < mine; i++)
        to[j * rows + r * mine + i] = blocks[(r * theirs + j) * mine + i];
}

static void transform_rows(const struct plan *p, int64_t rows, int64_t n,
                           const value *root, int inverse, value *x) {
  for (int64_t i = 0; i < rows / p->ranks; i++)
    transform_row(n, root, inverse, x + i * n, p->scratch);
}

static void multiply_twiddles(const struct plan *p, int inverse, value *x) {
  double sign = inverse ? -1 : 1;
  int64_t n = p->n1 * p->n2 / p->ranks;
  for (int64_t i = 0; i < n; i++) {
    value w = {p->twiddle[i].re, sign * p->twiddle[i].im};
    x[i] = times(x[i], w);
  }
}

static struct plan make_plan(int log2n, int rank, int ranks) {
  struct plan p;
  p.n1 = (int64_t)1 << (log2n / 2);
  p.n2 = (int64_t)1 << (log2n - log2n / 2);
  p.rank = rank;
  p.ranks = ranks;
  if (p.n1 % ranks)
    die("the number of ranks is no power of two, or above that of rows", "");
  p.root1 = make_roots(p.n1);
  p.root2 = make_roots(p.n2);
  p.scratch = need(malloc((size_t)p.n2 * sizeof(value)));
  int64_t own = p.n1 * p.n2 / ranks;
  p.twiddle = need(malloc((size_t)own * sizeof(value)));
  for (int64_t i = 0; i < own; i++) {
    int64_t at = own * rank + i;
    p.twiddle[i] = root_of_unity((at / p.n1) * (at % p.n1), p.n1 * p.n2);
  }
  return p;
}

/* x becomes the transform in y; z is scratch of the same size. */
static void forward(const struct plan *p, value *x, value *y, value *z) {
  transpose(p, p->n1, p->n2, x, y, z);
  transform_rows(p, p->n2, p->n1, p->root1, 0, y);
  multiply_twiddles(p, 0, y);
  transpose(p, p->n2, p->n1, y, x, z);
  transform_rows(p, p->n1, p->n2, p->root2, 0, x);
  transpose(p, p->n1, p->n2, x, y, z);
}

static void backward(const struct plan *p, value *y, value *x, value *z) {
  transpose(p, p->n2, p->n1, y, x, z);
  transform_rows(p, p->n1, p->n2, p->root2, 1, x);
  transpose(p, p->n1, p->n2, x, y, z);
  multiply_twiddles(p, 1, y);
  transform_rows(p, p->n2, p->n1, p->root1, 1, y);
  transpose(p, p->n2, p->n1, y, x, z);
  int64_t own = p->n1 * p->n2 / p->ranks;
  double scale = 1.0 / (double)(p->n1 * p->n2);
  for (int64_t i = 0; i < own; i++) {
    x[i].re *= scale;
    x[i].im *= scale;
  }
}

static double over_all(double own, MPI_Op how) {
  double all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, how, MPI_COMM_WORLD);
  return all;
}

static double energy(int64_t n, const value *x) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += x[i].re * x[i].re + x[i].im * x[i].im;
  return over_all(sum, MPI_SUM);
}

/* Value 1 of the transform by definition, against that of rank 0. */
static double definition_error(const struct plan *p, const value *y) {
  int64_t n = p->n1 * p->n2, own = n / p->ranks;
  double re = 0, im = 0;
  for (int64_t i = 0; i < own; i++) {
    int64_t j = own * p->rank + i;
    value t = times(input_at(j), root_of_unity(j, n));
    re += t.re;
    im += t.im;
  }
  re = over_all(re, MPI_SUM);
  im = over_all(im, MPI_SUM);
  double error = p->rank ? 0 : hypot(re - y[1].re, im - y[1].im);
  return over_all(error, MPI_MAX) / sqrt((double)n);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *usage = "LOG2N REPETITIONS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int log2n = (int)number(argc == 3 ? argv[1] : "", 2, 28, usage);
  int64_t repetitions = number(argv[2], 1, 1000, usage);
  struct plan p = make_plan(log2n, rank, ranks);
  int64_t n = (int64_t)1 << log2n, own = n / ranks;
  value *x = need(malloc((size_t)own * sizeof(value)));
  value *y = need(calloc((size_t)own, sizeof(value)));
  value *z = need(calloc((size_t)own, sizeof(value)));
  for (int64_t i = 0; i < own; i++)
    x[i] = input_at(own * rank + i);
  double before = o.verify ? energy(own, x) : 0;
  double parseval = 0, definition = 0, worst = 0;
  for (int64_t r = 0; r < repetitions; r++) {
    forward(&p, x, y, z);
    if (o.verify && r == 0) {
      parseval = fabs(energy(own, y) / (double)n - before) / before;
      definition = definition_error(&p, y);
    }
    backward(&p, y, x, z);
  }
  int status = 0;
  if (o.verify) {
    for (int64_t i = 0; i < own; i++) {
      value v = input_at(own * rank + i);
      worst = fmax(worst, hypot(x[i].re - v.re, x[i].im - v.im));
    }
    worst = over_all(worst, MPI_MAX);
    if (!rank) {
      status = judge("Parseval", parseval, 1e-12);
      status |= judge("value 1 from the definition", definition, 1e-9);
      status |= judge("forwards and back", worst, 1e-12);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (!rank)
    printf("%lld points, %d ranks: x[1] = %.17g %.17g\n", (long long)n, ranks,
           x[1].re, x[1].im);
  if (o.out) {
    value *all = rank ? NULL : need(malloc((size_t)n * sizeof(value)));
    MPI_Gather(x, (int)(2 * own), MPI_DOUBLE, all, (int)(2 * own), MPI_DOUBLE,
               0, MPI_COMM_WORLD);
    if (!rank)
      write_out(o.out, all, (size_t)n * sizeof(value));
    free(all);
  }
  free(z);
  free(y);
  free(x);
  free(p.scratch);
  free(p.root1);
  free(p.root2);
  free(p.twiddle);
  MPI_Finalize();
  return status;
}
