#include "grid.h"
#include <stdlib.h>
void *get(long bytes) {
  void *p = malloc(bytes);
  if (!p)
    exit(1);
  return p;
}
struct grid make(long nx, long ny) {
  struct grid g = {nx, ny, get(nx * ny * 8), calloc(nx * ny, 8)};
  for (long i = 0; i < nx * ny; i++)
    g.u[i] = i & 7;
  return g;
}
