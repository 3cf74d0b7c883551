#ifndef GRID_H
#define GRID_H
struct grid {
  long n;
  double *u, *v;
};
double *row_of(long n);
double sum(const struct grid *g);
#endif
