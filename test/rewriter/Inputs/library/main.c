#include "grid.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double table[65536];

static double *sample(size_t n) {
  double *data;
  if (posix_memalign((void **)&data, 64, n * sizeof *data))
    exit(1);
  return data;
}

static long *grown(size_t n) {
  long *list = NULL;
  for (size_t i = 0; i < n; ++i) {
    list = realloc(list, (i + 1) * sizeof *list);
    list[i] = (long)i;
  }
  return list;
}

static char *text(int own) {
  char *p = own ? malloc(100) : strdup("a copy");
  if (own)
    strcpy(p, "own");
  return p;
}

static void *kept(void) {
  void *p = malloc(70000);
  void (*end)(void *) = free;
  memset(p, 0, 70000);
  end(p);
  return NULL;
}

static double scratch(size_t n) {
  double *t = malloc(n * sizeof *t);
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    t[i] = i;
  for (size_t i = 0; i < n; ++i)
    sum += t[i];
  free(t);
  return sum;
}

int main(void) {
  grid g;
  double sum = 0, *x = sample(9000);
  long *list = grown(10000);
  char *a = text(0), *b = text(1);
  make(&g, 80000);
#pragma omp parallel for reduction(+ : sum)
  for (size_t i = 0; i < g.n; ++i) {
    g.u[i] = i;
    g.v[i] += g.u[i] + table[i % 65536];
    sum += g.v[i] + list[i % 10000];
  }
  for (int i = 0; i < 9000; ++i)
    x[i] = g.rows[i % 8][i % 1000];
  printf("%g %g %g %d %s %s %d %p\n", sum, x[8999], scratch(9000),
         (int)((uintptr_t)x % 64), a, b, (int)((uintptr_t)g.u % 16), kept());
  free(a);
  free(b);
  free(x);
  free(list);
  release(&g);
  return 0;
}
