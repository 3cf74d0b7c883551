#include "grid.h"
#include <stdio.h>
#include <stdlib.h>

static double table[65536];

static void make(struct grid *g, long n) {
  g->n = n;
  g->u = malloc(n * sizeof *g->u);
  g->v = calloc(n, sizeof *g->v);
  for (long i = 0; i < n; i++)
    g->u[i] = i;
}

static void step(struct grid *g, int rounds) {
#pragma omp parallel for
  for (long i = 0; i < g->n; i++) {
      g->v [i] = table[i % 65536]   +g->u[i];
  }
#pragma omp parallel
  {
    for (int r = 0; r < rounds; r++) {
#pragma omp for
      for (long i = 0; i < 10; i++)
        g->v[i] += r;
    }
#pragma omp barrier
  }
}

static void finish(struct grid *g, long n) {
  free(g->u);
  free(g->v);
}

int main(void) {
  struct grid g;
  double *row = row_of(100);
  make(&g, 100000);
  table[3] = 2;
  step(&g, 3);
  printf("%g %g\n", sum(&g), row[7]);
  finish(&g, g.n);
  free(row);
  return 0;
}
