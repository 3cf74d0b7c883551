/*===- spgemm.c - sparse C = A*A on an extruded mesh graph ----------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A is the adjacency matrix, with unit diagonal pattern, of a mesh graph in
 *METIS format, extruded into layers: the Cartesian product with a path, as 3-D
 *meshes of ocean and ice-sheet models are made. The product is Gustavson's
 *row-wise algorithm (Gustavson 1978) in two passes, symbolic and numeric; rows
 *are dealt out by OpenMP's plain static schedule, so that imbalance is the
 *matrix's own. A graph named rmat:SCALE:EDGES is generated instead of read
 *(R-MAT with Graph500's a, b, c = 0.57, 0.19, 0.19), for skewed degrees.
 *
 *   spgemm GRAPH LAYERS [--out FILE] [--verify]
 *   spgemm --describe GRAPH LAYERS    what the graph tells of the work
 *===----------------------------------------------------------------------===*/
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csr {
  int64_t rows;
  int64_t *rowptr; /* rows + 1 */
  int32_t *col;
  double *val; /* NULL for a graph without weights */
};

static void die(const char *what, const char *name) {
  fprintf(stderr, "spgemm: error: %s: %s\n", what, name);
  exit(2);
}

static void *need(void *p) {
  if (!p)
    die("out of memory", "allocation failed");
  return p;
}

/* METIS format: "n m [fmt]", then one line of 1-based neighbours per vertex. */
static void read_graph(const char *path, struct csr *g) {
  FILE *f = fopen(path, "rb");
  if (!f)
    die(strerror(errno), path);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char *text = need(malloc((size_t)size + 1));
  if (fread(text, 1, (size_t)size, f) != (size_t)size)
    die("cannot read", path);
  fclose(f);
  text[size] = 0;

  char *p = text;
  while (*p == '%')
    p = strchr(p, '\n') + 1;
  int64_t n = strtoll(p, &p, 10);
  int64_t m = strtoll(p, &p, 10);
  p = strchr(p, '\n');
  if (n <= 0 || m < 0 || !p)
    die("not a graph in METIS format", path);
  g->rows = n;
  g->rowptr = need(malloc(((size_t)n + 1) * sizeof(int64_t)));
  g->col = need(malloc(2 * (size_t)m * sizeof(int32_t)));
  g->val = NULL;
  int64_t edges = 0;
  for (int64_t v = 0; v < n; v++) {
    g->rowptr[v] = edges;
    p++;
    for (;;) {
      while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
      if (*p == '\n' || *p == 0)
        break;
      char *end;
      long long u = strtoll(p, &end, 10);
      if (end == p || u < 1 || u > n || edges == 2 * m)
        die("bad neighbour list", path);
      g->col[edges++] = (int32_t)(u - 1);
      p = end;
    }
  }
  g->rowptr[n] = edges;
  free(text);
}

static uint64_t random_next(uint64_t *s) { /* splitmix64, Steele et al. 2014 */
  uint64_t z = (*s += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static int compare_int32(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* R-MAT (Chakrabarti et al. 2004), symmetric, without self loops and repeats.
 */
static void make_rmat(int scale, int64_t edges, struct csr *g) {
  int64_t n = (int64_t)1 << scale;
  int32_t *from = need(malloc((size_t)edges * sizeof(int32_t)));
  int32_t *to = need(malloc((size_t)edges * sizeof(int32_t)));
  int32_t *label = need(malloc((size_t)n * sizeof(int32_t)));
  uint64_t seed = 20231;
  for (int64_t v = 0; v < n; v++) { /* Fisher and Yates 1938, inside out */
    int64_t w = (int64_t)(random_next(&seed) % (uint64_t)(v + 1));
    label[v] = label[w];
    label[w] = (int32_t)v;
  }
  g->rows = n;
  g->val = NULL;
  g->rowptr = need(calloc((size_t)n + 2, sizeof(int64_t)));
  for (int64_t e = 0; e < edges; e++) {
    int32_t u = 0, v = 0;
    for (int b = 0; b < scale; b++) {
      double r = (double)(random_next(&seed) >> 11) * 0x1p-53;
      int right = (r >= 0.57 && r < 0.76) || r >= 0.95;
      int down = r >= 0.76;
      u = 2 * u + down;
      v = 2 * v + right;
    }
    from[e] = label[u];
    to[e] = label[v];
    g->rowptr[from[e] + 2]++;
    g->rowptr[to[e] + 2]++;
  }
  for (int64_t v = 2; v < n + 2; v++)
    g->rowptr[v] += g->rowptr[v - 1];
  g->col = need(malloc(2 * (size_t)edges * sizeof(int32_t)));
  for (int64_t e = 0; e < edges; e++) {
    g->col[g->rowptr[from[e] + 1]++] = to[e];
    g->col[g->rowptr[to[e] + 1]++] = from[e];
  }
  free(label);
  free(from);
  free(to);
  int64_t kept = 0;
  for (int64_t v = 0; v < n; v++) {
    int64_t lo = g->rowptr[v], hi = g->rowptr[v + 1];
    qsort(g->col + lo, (size_t)(hi - lo), sizeof(int32_t), compare_int32);
    g->rowptr[v] = kept;
    for (int64_t k = lo; k < hi; k++)
      if (g->col[k] != v && (k == lo || g->col[k] != g->col[k - 1]))
        g->col[kept++] = g->col[k];
  }
  g->rowptr[n] = kept;
}

static void get_graph(const char *name, struct csr *g) {
  int scale;
  long long edges;
  if (sscanf(name, "rmat:%d:%lld", &scale, &edges) == 2) {
    if (scale < 1 || scale > 28 || edges < 1)
      die("bad R-MAT size", name);
    make_rmat(scale, edges, g);
  } else {
    read_graph(name, g);
  }
}

/* Vertex v of layer l is row v * layers + l, so that a column of the mesh is
 * contiguous: itself, its neighbours in the layer, and the same vertex one
 * layer below and above. */
static void extrude(const struct csr *g, int64_t layers, struct csr *a) {
  int64_t rows = g->rows * layers;
  a->rows = rows;
  a->rowptr = need(malloc(((size_t)rows + 1) * sizeof(int64_t)));
  a->rowptr[0] = 0;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i / layers, l = i % layers;
    a->rowptr[i + 1] =
        1 + g->rowptr[v + 1] - g->rowptr[v] + (l > 0) + (l + 1 < layers);
  }
  for (int64_t i = 0; i < rows; i++)
    a->rowptr[i + 1] += a->rowptr[i];
  int64_t entries = a->rowptr[rows];
  a->col = need(malloc((size_t)entries * sizeof(int32_t)));
  a->val = need(malloc((size_t)entries * sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i / layers, l = i % layers, k = a->rowptr[i];
    double weight = 1.0 / (double)(a->rowptr[i + 1] - k);
    if (l > 0) {
      a->col[k] = (int32_t)(i - 1);
      a->val[k++] = -weight;
    }
    a->col[k] = (int32_t)i;
    a->val[k++] = 1.0;
    if (l + 1 < layers) {
      a->col[k] = (int32_t)(i + 1);
      a->val[k++] = -weight;
    }
    for (int64_t e = g->rowptr[v]; e < g->rowptr[v + 1]; e++) {
      a->col[k] = (int32_t)(g->col[e] * layers + l);
      a->val[k++] = -weight;
    }
  }
}

/* Multiplications that row i of A*A takes: bounds the entries of that row. */
static int64_t *row_work(const struct csr *a) {
  int64_t rows = a->rows;
  int64_t *work = need(malloc((size_t)rows * sizeof(int64_t)));
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    int64_t sum = 0;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; k++) {
      int64_t r = a->col[k];
      sum += a->rowptr[r + 1] - a->rowptr[r];
    }
    work[i] = sum;
  }
  return work;
}

/* A power of two above the largest row, at most half full. */
static int64_t table_size(const int64_t *work, int64_t rows) {
  int64_t largest = 1, size = 16;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (int64_t i = 0; i < rows; i++)
    if (work[i] > largest)
      largest = work[i];
  if (largest > rows)
    largest = rows;
  while (size < 2 * largest)
    size *= 2;
  return size;
}

/* Slot of a column in a table of one row: open addressing, one table per thread
 * (the method of Nagasaka et al. 2018). Empty slots hold -1. */
static int64_t slot_of(const int32_t *key, int64_t mask, int32_t column) {
  int64_t s = (column * INT64_C(2654435761)) & mask;
  while (key[s] != column && key[s] != -1)
    s = (s + 1) & mask;
  return s;
}

/* Symbolic pass: c->rowptr[i + 1] = entries of row i of A*A. */
static void count_rows(const struct csr *a, int64_t size, struct csr *c) {
  int64_t rows = a->rows;
#pragma omp parallel
  {
    int32_t *key = need(malloc((size_t)size * sizeof(int32_t)));
    int32_t *used = need(malloc((size_t)size * sizeof(int32_t)));
    for (int64_t s = 0; s < size; s++)
      key[s] = -1;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < rows; i++) {
      int64_t found = 0;
      for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; k++) {
        int64_t r = a->col[k];
        for (int64_t j = a->rowptr[r]; j < a->rowptr[r + 1]; j++) {
          int64_t s = slot_of(key, size - 1, a->col[j]);
          if (key[s] == -1) {
            key[s] = a->col[j];
            used[found++] = (int32_t)s;
          }
        }
      }
      for (int64_t f = 0; f < found; f++)
        key[used[f]] = -1;
      c->rowptr[i + 1] = found;
    }
    free(used);
    free(key);
  }
}

/* Numeric pass: sums each row up in the table, then writes it out in order of
 * first appearance, so that the result does not depend on the table's size. */
static void fill_rows(const struct csr *a, int64_t size, struct csr *c) {
  int64_t rows = a->rows;
#pragma omp parallel
  {
    int32_t *key = need(malloc((size_t)size * sizeof(int32_t)));
    int32_t *used = need(malloc((size_t)size * sizeof(int32_t)));
    double *sum = need(malloc((size_t)size * sizeof(double)));
    for (int64_t s = 0; s < size; s++)
      key[s] = -1;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < rows; i++) {
      int64_t found = 0;
      for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; k++) {
        int64_t r = a->col[k];
        double x = a->val[k];
        for (int64_t j = a->rowptr[r]; j < a->rowptr[r + 1]; j++) {
          int64_t s = slot_of(key, size - 1, a->col[j]);
          if (key[s] == -1) {
            key[s] = a->col[j];
            sum[s] = 0;
            used[found++] = (int32_t)s;
          }
          sum[s] += x * a->val[j];
        }
      }
      int64_t at = c->rowptr[i];
      for (int64_t f = 0; f < found; f++) {
        int32_t s = used[f];
        c->col[at + f] = key[s];
        c->val[at + f] = sum[s];
        key[s] = -1;
      }
    }
    free(sum);
    free(used);
    free(key);
  }
}

static void multiply(const struct csr *a, struct csr *c) {
  int64_t rows = a->rows;
  int64_t *work = row_work(a);
  int64_t size = table_size(work, rows);
  free(work);
  c->rows = rows;
  c->rowptr = need(malloc(((size_t)rows + 1) * sizeof(int64_t)));
  c->rowptr[0] = 0;
  count_rows(a, size, c);
  for (int64_t i = 0; i < rows; i++)
    c->rowptr[i + 1] += c->rowptr[i];
  int64_t entries = c->rowptr[rows];
  c->col = need(malloc((size_t)entries * sizeof(int32_t)));
  c->val = need(malloc((size_t)entries * sizeof(double)));
  fill_rows(a, size, c);
}

/* y = M x, for the check that C x = A (A x). */
static void apply(const struct csr *m, const double *x, double *y) {
  for (int64_t i = 0; i < m->rows; i++) {
    double s = 0;
    for (int64_t k = m->rowptr[i]; k < m->rowptr[i + 1]; k++)
      s += m->val[k] * x[m->col[k]];
    y[i] = s;
  }
}

static int verify(const struct csr *a, const struct csr *c) {
  size_t n = (size_t)a->rows;
  double *x = need(malloc(n * sizeof(double)));
  double *y = need(malloc(n * sizeof(double)));
  double *z = need(malloc(n * sizeof(double)));
  double worst = 0;
  for (size_t i = 0; i < n; i++)
    x[i] = 1.0 + (double)(i % 17);
  apply(a, x, y);
  apply(a, y, z);
  apply(c, x, y);
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, fabs(y[i] - z[i]));
  free(z);
  free(y);
  free(x);
  printf("verify: largest difference of C x and A (A x): %.3g, %s\n", worst,
         worst < 1e-9 ? "passed" : "FAILED");
  return worst < 1e-9 ? 0 : 1;
}

static void write_out(const struct csr *c, const char *path) {
  FILE *f = fopen(path, "wb");
  size_t n = (size_t)c->rows, e = (size_t)c->rowptr[c->rows];
  if (!f || fwrite(c->rowptr, sizeof(int64_t), n + 1, f) != n + 1 ||
      fwrite(c->col, sizeof(int32_t), e, f) != e ||
      fwrite(c->val, sizeof(double), e, f) != e || fclose(f))
    die(strerror(errno), path);
}

/* Part of n iterations that thread t of `threads` gets from schedule(static).
 */
static int64_t first_of(int64_t n, int t, int threads) {
  int64_t q = n / threads, r = n % threads;
  return t * q + (t < r ? t : r);
}

/* Entries of the row of vertex v in layer l. */
static int64_t entries_of(const struct csr *g, int64_t layers, int64_t v,
                          int64_t l) {
  return 1 + g->rowptr[v + 1] - g->rowptr[v] + (l > 0) + (l + 1 < layers);
}

/* What is known of an input once its graph is read, before anything is
 * computed: the sizes, and for each thread the entries of its rows, those that
 * come from the graph, and the multiplications of A*A, which are the entries of
 * the rows that its entries name. */
static void describe(const struct csr *g, int64_t layers, int threads) {
  int64_t rows = g->rows * layers;
  int64_t edges = g->rowptr[g->rows];
  printf("vertices=%lld\nedges=%lld\nlayers=%lld\nrows=%lld\nentries=%lld\n",
         (long long)g->rows, (long long)(edges / 2), (long long)layers,
         (long long)rows, (long long)(edges * layers + 3 * rows - 2 * g->rows));
  for (int t = 0; t < threads; t++) {
    int64_t entries = 0, neighbours = 0, products = 0;
    int64_t end = first_of(rows, t + 1, threads);
    for (int64_t i = first_of(rows, t, threads); i < end; i++) {
      int64_t v = i / layers, l = i % layers;
      entries += entries_of(g, layers, v, l);
      neighbours += g->rowptr[v + 1] - g->rowptr[v];
      products += entries_of(g, layers, v, l);
      if (l > 0)
        products += entries_of(g, layers, v, l - 1);
      if (l + 1 < layers)
        products += entries_of(g, layers, v, l + 1);
      for (int64_t e = g->rowptr[v]; e < g->rowptr[v + 1]; e++)
        products += entries_of(g, layers, g->col[e], l);
    }
    printf("entries@%d=%lld\nneighbours@%d=%lld\nproducts@%d=%lld\n", t,
           (long long)entries, t, (long long)neighbours, t,
           (long long)products);
  }
}

int main(int argc, char **argv) {
  const char *out = NULL;
  int check = 0, tell = 0, usage = 0;
  const char *name = NULL, *layers_text = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--out") && i + 1 < argc)
      out = argv[++i];
    else if (!strcmp(argv[i], "--verify"))
      check = 1;
    else if (!strcmp(argv[i], "--describe"))
      tell = 1;
    else if (!name)
      name = argv[i];
    else if (!layers_text)
      layers_text = argv[i];
    else
      usage = 1;
  }
  int64_t layers = layers_text ? atoll(layers_text) : 0;
  if (usage || layers < 1) {
    fprintf(stderr, "usage: spgemm [--describe] GRAPH LAYERS [--out FILE] "
                    "[--verify]\n");
    return 2;
  }
  struct csr g, a, c;
  get_graph(name, &g);
  if (g.rows * layers > INT32_MAX)
    die("too many rows for 32-bit columns", name);
  if (tell) {
    describe(&g, layers, omp_get_max_threads());
    free(g.col);
    free(g.rowptr);
    return 0;
  }
  extrude(&g, layers, &a);
  free(g.col);
  free(g.rowptr);
  multiply(&a, &c);
  printf("A: %lld rows, %lld entries; C = A*A: %lld entries\n",
         (long long)a.rows, (long long)a.rowptr[a.rows],
         (long long)c.rowptr[c.rows]);
  int status = 0;
  if (check)
    status = verify(&a, &c);
  if (out)
    write_out(&c, out);
  free(c.val);
  free(c.col);
  free(c.rowptr);
  free(a.val);
  free(a.col);
  free(a.rowptr);
  return status;
}
