#include <stddef.h>
typedef struct {
  size_t n;
  double *u, *v;
  double **rows;
} grid;
void make(grid *g, size_t n);
void release(grid *g);
