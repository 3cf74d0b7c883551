/*===- record_kernels.c - kernels that recording is measured with ---------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: typical loops of scientific programs, written in the usual way, on
 * data of which caches hold all, some or little: record_kernels KERNEL MIB.
 * Makes: about the same work for every footprint, and a sum that depends on all
 * data.
 * Not here: measuring (bench-record --kernels).
 *===----------------------------------------------------------------------===*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t times(double all, double each) {
  return all > each ? (size_t)(all / each) : 1;
}

static void *need(size_t bytes) {
  void *p = malloc(bytes);
  if (!p)
    exit(2);
  return p;
}

static uint64_t next(uint64_t *s) { /* xorshift64, Marsaglia 2003 */
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

static double stream(size_t bytes) {
  size_t n = bytes / (3 * sizeof(double)), rounds = times(1.2e8, (double)n);
  double *a = need(n * sizeof *a), *b = need(n * sizeof *b),
         *c = need(n * sizeof *c);
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) {
    a[i] = 0;
    b[i] = (double)i;
    c[i] = 1;
  }
  for (size_t r = 0; r < rounds; ++r) {
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
      a[i] = b[i] + 0.5 * c[i];
  }
  return a[n / 2];
}

/* The side of each of so many square matrices that take \p bytes in total. */
static size_t side(size_t bytes, size_t matrices) {
  size_t n = 1;
  while (matrices * sizeof(double) * (n + 1) * (n + 1) <= bytes)
    ++n;
  return n;
}

/* Computes as many rows of the product as fit the amount of work. */
static double dense(size_t bytes) {
  size_t n = side(bytes, 3);
  size_t rows = times(3e8, (double)n * (double)n);
  rows = rows < n ? rows : n;
  double *a = need(n * n * sizeof *a), *b = need(n * n * sizeof *b),
         *c = need(n * n * sizeof *c);
#pragma omp parallel for
  for (size_t i = 0; i < n * n; ++i) {
    a[i] = (double)(i % 7);
    b[i] = (double)(i % 5);
    c[i] = 0;
  }
#pragma omp parallel for
  for (size_t i = 0; i < rows; ++i)
    for (size_t k = 0; k < n; ++k)
      for (size_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c[n / 2];
}

static double gather(size_t bytes) {
  size_t n = bytes / (sizeof(double) + sizeof(uint32_t)),
         rounds = times(6e7, (double)n);
  double *v = need(n * sizeof *v), sum = 0;
  uint32_t *index = need(n * sizeof *index);
  uint64_t seed = 88172645463325252u;
  for (size_t i = 0; i < n; ++i) {
    v[i] = (double)(i % 3);
    index[i] = (uint32_t)(next(&seed) % n);
  }
  for (size_t r = 0; r < rounds; ++r) {
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < n; ++i)
      sum += v[index[i]];
  }
  return sum;
}

/* The matrix of a mesh: 5 entries per row, most of them near the diagonal. */
static double cg(size_t bytes) {
  enum { ENTRIES = 5 };
  size_t n = bytes / (ENTRIES * 12 + 8 + 4 * 8), rounds = times(8e6, (double)n);
  size_t *begin = need((n + 1) * sizeof *begin), count = 0;
  int *column = need(n * ENTRIES * sizeof *column);
  double *value = need(n * ENTRIES * sizeof *value);
  double *x = need(n * sizeof *x), *r = need(n * sizeof *r),
         *p = need(n * sizeof *p), *q = need(n * sizeof *q), rr = 0;
  size_t side = 1;
  while ((side + 1) * (side + 1) <= n)
    ++side;
  for (size_t i = 0; i < n; ++i) {
    begin[i] = count;
    const size_t near[ENTRIES] = {i - side, i - 1, i, i + 1, i + side};
    for (int k = 0; k < ENTRIES; ++k)
      if (near[k] < n) {
        column[count] = (int)near[k];
        value[count++] = k == 2 ? 4.5 : -1;
      }
  }
  begin[n] = count;
  for (size_t i = 0; i < n; ++i) {
    x[i] = 0;
    p[i] = r[i] = (double)(i % 3);
    rr += r[i] * r[i];
  }
  for (size_t step = 0; step < rounds; ++step) {
    double pq = 0, old = rr;
#pragma omp parallel for reduction(+ : pq)
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t k = begin[i]; k < begin[i + 1]; ++k)
        sum += value[k] * p[column[k]];
      q[i] = sum;
      pq += p[i] * sum;
    }
    double alpha = old / (pq + 1e-300);
    rr = 0;
#pragma omp parallel for reduction(+ : rr)
    for (size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      rr += r[i] * r[i];
    }
    double beta = rr / (old + 1e-300);
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
      p[i] = r[i] + beta * p[i];
  }
  return x[n / 2];
}

static double stencil(size_t bytes) {
  size_t n = side(bytes, 2);
  size_t rounds = times(6e7, (double)n * (double)n);
  double *a = need(n * n * sizeof *a), *b = need(n * n * sizeof *b);
#pragma omp parallel for
  for (size_t i = 0; i < n * n; ++i)
    a[i] = b[i] = (double)(i % 11);
  for (size_t r = 0; r < rounds; ++r) {
#pragma omp parallel for
    for (size_t i = 1; i < n - 1; ++i)
      for (size_t j = 1; j < n - 1; ++j)
        b[i * n + j] =
            0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
                   a[(i - 1) * n + j] + a[(i + 1) * n + j]);
    double *other = a;
    a = b;
    b = other;
  }
  return a[n * n / 2 + 1];
}

/* One cycle through all nodes, in random order (Sattolo). */
static double chase(size_t bytes) {
  typedef struct node {
    struct node *next;
    double weight[7];
  } node;
  size_t n = bytes / sizeof(node), steps = 4000000;
  node *nodes = need(n * sizeof *nodes);
  uint32_t *order = need(n * sizeof *order);
  uint64_t seed = 88172645463325252u;
  for (size_t i = 0; i < n; ++i)
    order[i] = (uint32_t)i;
  for (size_t i = n - 1; i > 0; --i) {
    size_t j = next(&seed) % i;
    uint32_t t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  for (size_t i = 0; i < n; ++i) {
    nodes[order[i]].next = &nodes[order[(i + 1) % n]];
    nodes[order[i]].weight[0] = 1;
  }
  double sum = 0;
  for (const node *p = nodes; steps--; p = p->next)
    sum += p->weight[0];
  return sum;
}

/* Explicit tasks that read and update 2,000 elements each. */
static double tasks(size_t bytes) {
  enum { EACH = 2000 };
  size_t n = bytes / (2 * sizeof(double)) / EACH * EACH,
         rounds = times(1.2e8, (double)n);
  double *a = need(n * sizeof *a), *b = need(n * sizeof *b);
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) {
    a[i] = (double)(i % 5);
    b[i] = 1;
  }
  for (size_t r = 0; r < rounds; ++r) {
#pragma omp parallel
#pragma omp single
    for (size_t first = 0; first < n; first += EACH) {
#pragma omp task firstprivate(first)
      for (size_t i = first; i < first + EACH; ++i)
        a[i] = 0.5 * a[i] + b[i];
    }
  }
  return a[n / 2];
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    double (*run)(size_t);
  } kernels[] = {{"stream", stream}, {"dense", dense},     {"gather", gather},
                 {"cg", cg},         {"stencil", stencil}, {"chase", chase},
                 {"tasks", tasks}};
  if (argc == 3)
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k)
      if (!strcmp(argv[1], kernels[k].name)) {
        printf("%g\n", kernels[k].run(strtoul(argv[2], NULL, 10) << 20));
        return 0;
      }
  fprintf(stderr, "usage: record_kernels KERNEL MIB\n");
  return 2;
}
