#include "grid.h"
static double weight(double a, double b) { return 0.25 * (a + b); }
void sweep(struct grid *g) {
#pragma omp parallel for
  for (long i = 1; i < g->nx - 1; i++)
    for (long j = 1; j < g->ny - 1; j++)
      g->v[i * g->ny + j] = weight(*at(g, i - 1, j), *at(g, i + 1, j)) +
                            weight(*at(g, i, j - 1), *at(g, i, j + 1));
  double *t = g->u;
  g->u = g->v;
  g->v = t;
}
