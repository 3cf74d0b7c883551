/*===- heat-mpi.c - 2-D heat equation, rows dealt out to ranks ------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The same equation and grid as heat.c, by Jacobi steps: each rank has a strip
 * of rows and the neighbours' rows beside it, which are exchanged after every
 * step; all ranks agree on the largest change (what a solver stops by).
 *
 *   heat-mpi N STEPS [--verify] [--out FILE]      N x N points
 *===----------------------------------------------------------------------===*/
#define PROGRAM "heat-mpi"
#include "../common/support.h"
#include <math.h>
#include <mpi.h>

static double start_at(int64_t n, int64_t i, int64_t j) {
  double x = (double)j / (double)(n - 1), y = (double)i / (double)(n - 1);
  return i == 0 ? x : y * (1 - x);
}

static double conductivity(int64_t n, int64_t i, int64_t j) {
  double x = (double)j / (double)(n - 1), y = (double)i / (double)(n - 1);
  return 0.05 + 0.2 * x * y;
}

/* Rows [1, rows] of the strip; those around them are the neighbours' or the
 * border. The largest change. */
static double step(int64_t n, int64_t rows, const double *old, const double *k,
                   double *next) {
  double most = 0;
  for (int64_t i = 1; i <= rows; i++)
    for (int64_t j = 1; j < n - 1; j++) {
      int64_t c = i * n + j;
      next[c] = old[c] + k[c] * (old[c - n] + old[c + n] + old[c - 1] +
                                 old[c + 1] - 4 * old[c]);
      most = fmax(most, fabs(next[c] - old[c]));
    }
  return most;
}

static void exchange(int64_t n, int64_t rows, int rank, int ranks, double *u) {
  int up = rank ? rank - 1 : MPI_PROC_NULL;
  int down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(u + n, (int)n, MPI_DOUBLE, up, 0, u + (rows + 1) * n, (int)n,
               MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + rows * n, (int)n, MPI_DOUBLE, down, 1, u, (int)n, MPI_DOUBLE,
               up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same steps by one process: rank 0 compares. */
static int verify(int64_t n, int64_t steps, const double *found) {
  size_t bytes = (size_t)(n * n) * sizeof(double);
  double *u = need(malloc(bytes)), *v = need(malloc(bytes)),
         *k = need(malloc(bytes));
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      u[i * n + j] = v[i * n + j] = start_at(n, i, j);
      k[i * n + j] = conductivity(n, i, j);
    }
  for (int64_t t = 0; t < steps; t++) {
    step(n, n - 2, u, k, v);
    double *swap = u;
    u = v;
    v = swap;
  }
  double worst = 0;
  for (int64_t i = 0; i < n * n; i++)
    worst = fmax(worst, fabs(u[i] - found[i]));
  free(k);
  free(v);
  free(u);
  return judge("difference from one process", worst, 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *usage = "N STEPS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int64_t n = number(argc == 3 ? argv[1] : "", 3, 100000, usage);
  int64_t steps = number(argv[2], 0, 1000000, usage);
  if (n - 2 < ranks)
    die("more ranks than rows", argv[1]);
  int64_t first = 1 + (n - 2) * rank / ranks;
  int64_t rows = 1 + (n - 2) * (rank + 1) / ranks - first;
  size_t bytes = (size_t)((rows + 2) * n) * sizeof(double);
  double *u = need(malloc(bytes)), *v = need(malloc(bytes)),
         *k = need(malloc(bytes));
  for (int64_t i = 0; i < rows + 2; i++)
    for (int64_t j = 0; j < n; j++) {
      u[i * n + j] = v[i * n + j] = start_at(n, first - 1 + i, j);
      k[i * n + j] = conductivity(n, first - 1 + i, j);
    }
  double change = 0;
  for (int64_t t = 0; t < steps; t++) {
    double own = step(n, rows, u, k, v);
    exchange(n, rows, rank, ranks, v);
    MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double *swap = u;
    u = v;
    v = swap;
  }
  int status = 0;
  if (o.verify || o.out) {
    int *counts = need(malloc((size_t)ranks * sizeof(int)));
    int *places = need(malloc((size_t)ranks * sizeof(int)));
    for (int r = 0; r < ranks; r++) {
      int64_t from = 1 + (n - 2) * r / ranks;
      counts[r] = (int)((1 + (n - 2) * (r + 1) / ranks - from) * n);
      places[r] = (int)(from * n);
    }
    double *all = rank ? NULL : need(malloc((size_t)(n * n) * sizeof(double)));
    MPI_Gatherv(u + n, (int)(rows * n), MPI_DOUBLE, all, counts, places,
                MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (!rank) {
      for (int64_t j = 0; j < n; j++) {
        all[j] = start_at(n, 0, j);
        all[(n - 1) * n + j] = start_at(n, n - 1, j);
      }
      status = o.verify ? verify(n, steps, all) : 0;
      if (o.out)
        write_out(o.out, all, (size_t)(n * n) * sizeof(double));
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(all);
    free(places);
    free(counts);
  }
  if (!rank)
    printf("%lld x %lld points, %d ranks: last change %.17g\n", (long long)n,
           (long long)n, ranks, change);
  free(k);
  free(v);
  free(u);
  MPI_Finalize();
  return status;
}
