/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "alloc.h"
static double *inner(long n) { return field(n); }
double *row(long n) {
  double *p = inner(n);
  p[0] = 3;
  return p;
}
double *column(long n) {
  double *p = again(n, 3);
  p[0] = 1;
  return p;
}
int build(struct grid *g, long n) {
  fill(g, n);
  return g->cells != 0;
}
