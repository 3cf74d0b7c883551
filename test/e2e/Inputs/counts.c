/* What counting has to get right: loops whose trip counts are known and not,
 * gathers, a list, rows behind pointers, recursion, calls in loops, blocks that
 * end in the middle of a function, memcpy, arrays of the stack and statics,
 * tasks, barriers, atomics, and exit() below main. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
  struct node *next;
  long value, rest[6];
} node;

static double table[20000];

static void *need(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(2);
  memset(p, 0, n);
  return p;
}

__attribute__((noinline)) static void dense(long n, double *a, double *b,
                                            double *c) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

__attribute__((noinline)) static double gather(long n, const int *index,
                                               const double *v, double most) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    if (v[index[i]] > most) /* a condition */
      sum += v[(index[i] + 1) % n];
    if (sum > 1e9)
      break; /* another way out */
  }
  return sum;
}

__attribute__((noinline)) static long walk(const node *p) {
  long sum = 0;
  for (; p; p = p->next)
    sum += p->value;
  return sum;
}

__attribute__((noinline)) static double rows(long n, double **row) {
  double sum = 0;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j)
      sum += row[i][j] += 1;
  return sum;
}

__attribute__((noinline)) static double before(double *base, long n) {
  double *from_one = base - 1, sum = 0; /* as in translated Fortran */
  for (long i = 1; i <= n; ++i)
    sum += from_one[i];
  return sum;
}

static void sort(long *v, long n) {
  if (n < 2)
    return;
  long pivot = v[n / 2], i = 0, j = n - 1;
  while (i <= j) {
    while (v[i] < pivot)
      ++i;
    while (v[j] > pivot)
      --j;
    if (i <= j) {
      long t = v[i];
      v[i++] = v[j];
      v[j--] = t;
    }
  }
  sort(v, j + 1);
  sort(v + i, n - i);
}

static void tree(double *v, long n) {
  if (n <= 1000) {
    for (long i = 0; i < n; ++i)
      v[i] = v[i] * 2 + 1;
    return;
  }
#pragma omp task
  tree(v, n / 2);
#pragma omp task
  tree(v + n / 2, n - n / 2);
#pragma omp taskwait
  v[0] += v[n / 2];
}

__attribute__((noinline)) static double phases(long n, double *a, long *hits) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for
    for (long i = 0; i < n; ++i)
      a[i] = table[i % 20000];
#pragma omp single
    a[0] = 3;
#pragma omp for
    for (long i = 0; i < n; ++i) {
      sum += a[n - 1 - i];
#pragma omp atomic
      hits[(long)a[i] & 1023]++;
    }
  }
  return sum;
}

__attribute__((noinline)) static double short_lived(long n) {
  double sum = 0;
  for (int r = 0; r < 5; ++r) {
    double *a = need((size_t)n * sizeof *a), local[9000];
    for (long i = 0; i < n; ++i)
      a[i] = (double)i;
    for (long i = 0; i < 9000; ++i)
      local[i] = a[i % n];
    sum += local[(r * 7) % 9000] + a[n / 2];
    free(a);
  }
  return sum;
}

__attribute__((noinline)) static void finish(double sum) {
  printf("%.3f\n", sum);
  exit(0);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 200, many = n * n;
  double *a = need((size_t)many * 8), *b = need((size_t)many * 8),
         *c = need((size_t)many * 8), *copy = need((size_t)many * 8 + 24),
         sum = 0;
  int *index = need((size_t)many * sizeof *index);
  long *keys = need((size_t)many * sizeof *keys), *hits = need(1024 * 8);
  double **row = need((size_t)n * sizeof *row);
  for (long i = 0; i < many; ++i) {
    a[i] = (double)(i % 13);
    b[i] = (double)(i % 7);
    index[i] = (int)(i * 7919 % many);
    keys[i] = i * 7919 % many;
  }
  for (long i = 0; i < 20000; ++i)
    table[i] = (double)(i % 1000);
  for (long i = 0; i < n; ++i)
    row[i] = need(80000);
  node *list = NULL, *nodes = need((size_t)many * sizeof *nodes);
  for (long i = 0; i < many; ++i) {
    nodes[keys[i]] = (node){list, i, {0}};
    list = &nodes[keys[i]];
  }
  for (long i = 0; i < 3000; ++i) { /* blocks of their own, small ones */
    node *one = need(sizeof *one);
    one->next = list;
    one->value = i;
    list = one;
  }
  dense(n, a, b, c);
  sum += gather(many, index, c, 1000) + (double)walk(list) + rows(n, row) +
         before(a, many);
  memcpy((char *)copy + 24, c, (size_t)many * 8);
  sort(keys, many);
#pragma omp parallel
#pragma omp single
  tree(b, many);
  sum += phases(many, a, hits) + short_lived(n * 50);
  for (long i = 0; i < many; ++i)
    sum += copy[i] + b[i];
  finish(sum);
}
