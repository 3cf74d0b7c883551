/* One loop for each way to walk an object, also around a call; the list is
 * long enough to be an object of its own kind, and the static array is no heap
 * block. */
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  double value;
};

static double table[1 << 14];

static double sum_list(const struct node *p) {
  double s = 0;
  for (; p; p = p->next)
    s += p->value;
  return s;
}

__attribute__((noinline)) static double leaf(const double *a, int i) {
  return a[i] * 2;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 20000;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  int *index = malloc(n * sizeof *index);
  struct node *pool = malloc(n * sizeof *pool);
  for (long i = 0; i < n; ++i) {
    a[i] = i;
    index[i] = i * 7919 % n;
  }
  for (long i = 0; i < 1 << 14; ++i)
    table[i] = i;
#pragma omp parallel for
  for (long i = 1; i < n - 1; ++i)
    b[i] = a[i - 1] + a[i] + a[i + 1];
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; ++i)
    s += b[index[i]];
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < 1 << 14; i += 8)
    s += table[i];
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; i += 4)
    s += a[i];
  for (long i = 0; i < n; ++i) {
    pool[index[i]].next = i + 1 < n ? &pool[index[i + 1]] : NULL;
    pool[i].value = i;
  }
  for (long i = 0; i < n; ++i)
    s += leaf(a, index[i]);
  s += sum_list(&pool[index[0]]);
  printf("%g\n", s);
  free(a);
  free(index); /* b and the pool are released at exit */
  return 3;    /* a status of its own */
}
