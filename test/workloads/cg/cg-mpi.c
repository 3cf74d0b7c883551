/*===- cg-mpi.c - conjugate gradients, rows dealt out to ranks ------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The system and the method of cg.c. Each rank has an equal number of the
 * matrix's rows, so that imbalance is the matrix's own, and all of the search
 * direction, which the ranks put together before each product.
 *
 *   cg-mpi GRAPH LAYERS ITERATIONS [--verify] [--out FILE]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "cg-mpi"
#include "../common/graph.h"
#include <math.h>
#include <mpi.h>

/* Rows [from, from + rows) of the matrix; columns count from 0. */
struct part {
  int64_t all, from, rows;
  int64_t *first;
  int32_t *col;
  double *val;
};

static const double shift = 0.01;

static int64_t entries_of(const struct graph *g, int64_t layers, int64_t row) {
  int64_t v = row / layers, l = row % layers;
  return 1 + g->first[v + 1] - g->first[v] + (l > 0) + (l + 1 < layers);
}

/* Vertex v of layer l is row v * layers + l. */
static void make_part(const struct graph *g, int64_t layers, struct part *a) {
  a->first = need(malloc(((size_t)a->rows + 1) * sizeof(int64_t)));
  a->first[0] = 0;
  for (int64_t i = 0; i < a->rows; i++)
    a->first[i + 1] = a->first[i] + entries_of(g, layers, a->from + i);
  size_t entries = (size_t)a->first[a->rows];
  a->col = need(malloc((entries + 1) * sizeof(int32_t)));
  a->val = need(malloc((entries + 1) * sizeof(double)));
  for (int64_t i = 0; i < a->rows; i++) {
    int64_t row = a->from + i, v = row / layers, l = row % layers;
    int64_t k = a->first[i];
    a->col[k] = (int32_t)row;
    a->val[k] = (double)(a->first[i + 1] - k - 1) + shift;
    k++;
    if (l > 0) {
      a->col[k] = (int32_t)(row - 1);
      a->val[k++] = -1;
    }
    if (l + 1 < layers) {
      a->col[k] = (int32_t)(row + 1);
      a->val[k++] = -1;
    }
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
      a->col[k] = (int32_t)(g->next[e] * layers + l);
      a->val[k++] = -1;
    }
  }
}

/* y = A x, of the own rows. */
static void multiply(const struct part *a, const double *x, double *y) {
  for (int64_t i = 0; i < a->rows; i++) {
    double sum = 0;
    for (int64_t k = a->first[i]; k < a->first[i + 1]; k++)
      sum += a->val[k] * x[a->col[k]];
    y[i] = sum;
  }
}

/* Over all ranks. */
static double dot(int64_t n, const double *x, const double *y) {
  double own = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    own += x[i] * y[i];
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static double *make_vector(int64_t n) {
  return need(calloc((size_t)n + 1, sizeof(double)));
}

/* The solution that b is made from. */
static double solution_at(int64_t i) { return 1.0 + (double)(i % 17) / 16; }

struct ranks {
  int rank, number;
  int *counts, *places; /* rows of each */
};

static void gather(const struct ranks *r, const double *own, double *all) {
  MPI_Allgatherv(own, r->counts[r->rank], MPI_DOUBLE, all, r->counts, r->places,
                 MPI_DOUBLE, MPI_COMM_WORLD);
}

/* Fixed number of steps. x: the own rows; returns |r| / |b| by the recurrence.
 */
static double solve(const struct part *a, const struct ranks *ranks,
                    const double *b, int64_t iterations, double *x) {
  int64_t n = a->rows;
  double *r = make_vector(n), *z = make_vector(n), *p = make_vector(n);
  double *q = make_vector(n), *diagonal = make_vector(n);
  double *whole = make_vector(a->all);
  for (int64_t i = 0; i < n; i++) {
    diagonal[i] = a->val[a->first[i]];
    r[i] = b[i];
    p[i] = z[i] = b[i] / diagonal[i];
  }
  double rz = dot(n, r, z), norm = dot(n, b, b);
  for (int64_t k = 0; k < iterations && rz > 0; k++) {
    gather(ranks, p, whole);
    multiply(a, whole, q);
    double alpha = rz / dot(n, p, q);
    for (int64_t i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      z[i] = r[i] / diagonal[i];
    }
    double next = dot(n, r, z);
    for (int64_t i = 0; i < n; i++)
      p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  double residual = sqrt(dot(n, r, r) / norm);
  free(whole);
  free(diagonal);
  free(q);
  free(p);
  free(z);
  free(r);
  return residual;
}

/* As in cg.c: with the smallest eigenvalue 0.01, |x - x*| <= 100 |r|. */
static int verify(const struct part *a, const struct ranks *ranks,
                  const double *b, const double *x, double residual) {
  double *whole = make_vector(a->all), *r = make_vector(a->rows),
         *e = make_vector(a->rows);
  gather(ranks, x, whole);
  multiply(a, whole, r);
  for (int64_t i = 0; i < a->rows; i++) {
    r[i] = b[i] - r[i];
    e[i] = x[i] - solution_at(a->from + i);
  }
  double rr = dot(a->rows, r, r), bb = dot(a->rows, b, b);
  double ee = dot(a->rows, e, e);
  free(e);
  free(r);
  free(whole);
  if (ranks->rank)
    return fabs(sqrt(rr / bb) - residual) > 1e-10 || residual > 0.9 ||
           sqrt(ee / rr) > 100.001;
  int status = judge("residual against the recurrence's",
                     fabs(sqrt(rr / bb) - residual), 1e-10);
  status |= judge("residual", residual, 0.9);
  return status | judge("error against its bound", sqrt(ee / rr), 100.001);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *usage = "GRAPH LAYERS ITERATIONS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int64_t layers = number(argc == 4 ? argv[2] : "", 1, 1 << 20, usage);
  int64_t iterations = number(argv[3], 1, 100000, usage);
  struct ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.number);
  struct graph g;
  get_graph(argv[1], &g);
  struct part a;
  a.all = g.vertices * layers;
  if (a.all > INT32_MAX)
    die("too many rows for 32-bit columns", argv[1]);
  ranks.counts = need(malloc((size_t)ranks.number * sizeof(int)));
  ranks.places = need(malloc((size_t)ranks.number * sizeof(int)));
  for (int r = 0; r < ranks.number; r++) {
    ranks.places[r] = (int)(a.all * r / ranks.number);
    ranks.counts[r] = (int)(a.all * (r + 1) / ranks.number) - ranks.places[r];
  }
  a.from = ranks.places[ranks.rank];
  a.rows = ranks.counts[ranks.rank];
  make_part(&g, layers, &a);
  drop_graph(&g);
  double *known = make_vector(a.all), *b = make_vector(a.rows);
  double *x = make_vector(a.rows);
  for (int64_t i = 0; i < a.all; i++)
    known[i] = solution_at(i);
  multiply(&a, known, b);
  double residual = solve(&a, &ranks, b, iterations, x);
  if (!ranks.rank)
    printf("%lld rows, %d ranks: |r| / |b| = %.12g after %lld iterations\n",
           (long long)a.all, ranks.number, residual, (long long)iterations);
  int status = o.verify ? verify(&a, &ranks, b, x, residual) : 0;
  if (o.out) {
    gather(&ranks, x, known);
    if (!ranks.rank)
      write_out(o.out, known, (size_t)a.all * sizeof(double));
  }
  free(x);
  free(b);
  free(known);
  free(a.val);
  free(a.col);
  free(a.first);
  free(ranks.places);
  free(ranks.counts);
  MPI_Finalize();
  return status;
}
