#include "grid.h"
#include <stdlib.h>

static void drop(void *block) { free(block); }

void make(grid *g, size_t n) {
  g->n = n;
  g->u = (double *)malloc(n * sizeof *g->u);
  g->v = calloc(n, sizeof *g->v);
  g->rows = malloc(8 * sizeof *g->rows);
  for (int i = 0; i < 8; ++i)
    g->rows[i] = g->u + i * (n / 8);
}

void release(grid *g) {
  drop(g->u);
  drop(g->v);
  free(g->rows);
}
