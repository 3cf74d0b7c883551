/*===- cg.c - conjugate gradients on an extruded mesh graph ---------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Solves A x = b, A = the graph Laplacian plus a small multiple of the unit
 * matrix, by conjugate gradients (Hestenes and Stiefel 1952) preconditioned
 * with A's diagonal. The graph is a mesh extruded into layers: the Cartesian
 * product with a path, as 3-D meshes of ocean and ice-sheet models are made, or
 * an R-MAT graph (see ../common/graph.h). Rows are dealt out in equal numbers
 * (schedule static), so that imbalance is the matrix's own. Sums are added up
 * by thread number: the result is the same for the same number of threads.
 *
 *   cg GRAPH LAYERS ITERATIONS [--verify] [--out FILE]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "cg"
#include "../common/graph.h"
#include <math.h>
#include <omp.h>

struct matrix {
  int64_t rows;
  int64_t *first;
  int32_t *col;
  double *val;
};

/* Vertex v of layer l is row v * layers + l. */
static void make_matrix(const struct graph *g, int64_t layers,
                        struct matrix *a) {
  const double shift = 0.01;
  int64_t rows = g->vertices * layers;
  int64_t *first = need(malloc(((size_t)rows + 1) * sizeof(int64_t)));
  first[0] = 0;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i / layers, l = i % layers;
    first[i + 1] =
        1 + g->first[v + 1] - g->first[v] + (l > 0) + (l + 1 < layers);
  }
  for (int64_t i = 0; i < rows; i++)
    first[i + 1] += first[i];
  int64_t entries = first[rows];
  int32_t *col = need(malloc((size_t)entries * sizeof(int32_t)));
  double *val = need(malloc((size_t)entries * sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i / layers, l = i % layers, k = first[i];
    col[k] = (int32_t)i;
    val[k] = (double)(first[i + 1] - k - 1) + shift;
    k++;
    if (l > 0) {
      col[k] = (int32_t)(i - 1);
      val[k++] = -1;
    }
    if (l + 1 < layers) {
      col[k] = (int32_t)(i + 1);
      val[k++] = -1;
    }
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
      col[k] = (int32_t)(g->next[e] * layers + l);
      val[k++] = -1;
    }
  }
  a->rows = rows;
  a->first = first;
  a->col = col;
  a->val = val;
}

static void multiply(const struct matrix *a, const double *x, double *y) {
  int64_t rows = a->rows;
  const int64_t *first = a->first;
  const int32_t *col = a->col;
  const double *val = a->val;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    double sum = 0;
    for (int64_t k = first[i]; k < first[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

/* One partial sum per thread, each on a cache line of its own. */
struct sums {
  double *of;
  int threads;
};
enum { apart = 8 };

static double total(const struct sums *s) {
  double sum = 0;
  for (int t = 0; t < s->threads; t++)
    sum += s->of[t * apart];
  return sum;
}

static double dot(int64_t n, const double *x, const double *y, struct sums *s) {
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < n; i++)
      sum += x[i] * y[i];
    s->of[omp_get_thread_num() * apart] = sum;
  }
  return total(s);
}

/* x += alpha p, r -= alpha q, z = r / diagonal; returns r z. */
static double advance(int64_t n, double alpha, const double *p, const double *q,
                      const double *diagonal, double *x, double *r, double *z,
                      struct sums *s) {
#pragma omp parallel
  {
    double sum = 0;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      z[i] = r[i] / diagonal[i];
      sum += r[i] * z[i];
    }
    s->of[omp_get_thread_num() * apart] = sum;
  }
  return total(s);
}

static void turn(int64_t n, double beta, const double *z, double *p) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    p[i] = z[i] + beta * p[i];
}

static double *make_vector(int64_t n) {
  return need(malloc((size_t)n * sizeof(double)));
}

/* The solution that b is made from. */
static double solution_at(int64_t i) { return 1.0 + (double)(i % 17) / 16; }

/* Fixed number of steps. Returns x; *residual is |r| / |b| by the recurrence.
 */
static double *solve(const struct matrix *a, const double *b,
                     int64_t iterations, double *residual) {
  int64_t n = a->rows;
  double *x = make_vector(n), *r = make_vector(n), *z = make_vector(n);
  double *p = make_vector(n), *q = make_vector(n), *diagonal = make_vector(n);
  struct sums s;
  s.threads = omp_get_max_threads();
  s.of = need(calloc((size_t)s.threads * apart, sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    diagonal[i] = a->val[a->first[i]];
    x[i] = 0;
    r[i] = b[i];
    z[i] = b[i] / diagonal[i];
    p[i] = z[i];
    q[i] = 0;
  }
  double rz = dot(n, r, z, &s), norm = dot(n, b, b, &s);
  for (int64_t k = 0; k < iterations && rz > 0; k++) {
    multiply(a, p, q);
    double alpha = rz / dot(n, p, q, &s);
    double next = advance(n, alpha, p, q, diagonal, x, r, z, &s);
    turn(n, next / rz, z, p);
    rz = next;
  }
  *residual = sqrt(dot(n, r, r, &s) / norm);
  free(s.of);
  free(diagonal);
  free(q);
  free(p);
  free(z);
  free(r);
  return x;
}

/* Is the recurrence's residual that of the x found, is it smaller than at the
 * start, and is x as near to the known solution as A's condition allows: with
 * the smallest eigenvalue 0.01, |x - x*| <= 100 |r|. */
static int verify(const struct matrix *a, const double *b, const double *x,
                  double residual) {
  int64_t n = a->rows;
  double *y = make_vector(n);
  multiply(a, x, y);
  double rr = 0, bb = 0, ee = 0;
  for (int64_t i = 0; i < n; i++) {
    rr += (b[i] - y[i]) * (b[i] - y[i]);
    bb += b[i] * b[i];
    ee += (x[i] - solution_at(i)) * (x[i] - solution_at(i));
  }
  free(y);
  int status = judge("residual against the recurrence's",
                     fabs(sqrt(rr / bb) - residual), 1e-10);
  status |= judge("residual", residual, 0.9);
  return status | judge("error against its bound", sqrt(ee / rr), 100.001);
}

int main(int argc, char **argv) {
  const char *usage = "GRAPH LAYERS ITERATIONS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int64_t layers = number(argc == 4 ? argv[2] : "", 1, 1 << 20, usage);
  int64_t iterations = number(argv[3], 1, 100000, usage);
  struct graph g;
  struct matrix a;
  get_graph(argv[1], &g);
  if (g.vertices * layers > INT32_MAX)
    die("too many rows for 32-bit columns", argv[1]);
  make_matrix(&g, layers, &a);
  drop_graph(&g);
  double *b = make_vector(a.rows), *known = make_vector(a.rows), residual;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < a.rows; i++)
    known[i] = solution_at(i);
  multiply(&a, known, b);
  free(known);
  double *x = solve(&a, b, iterations, &residual);
  printf("%lld rows, %lld entries: |r| / |b| = %.12g after %lld iterations\n",
         (long long)a.rows, (long long)a.first[a.rows], residual,
         (long long)iterations);
  int status = o.verify ? verify(&a, b, x, residual) : 0;
  if (o.out)
    write_out(o.out, x, (size_t)a.rows * sizeof(double));
  free(x);
  free(b);
  free(a.val);
  free(a.col);
  free(a.first);
  return status;
}
