/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "alloc.h"
#include <stdio.h>
#include <stdlib.h>
static double *mine(long n) { return row(n); }
static double *used[64];
static int count;
static double *use(double *p, long n) {
  for (long i = 0; i < n; ++i)
    p[i] = 1;
  return used[count++] = p;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  struct grid g, h;
  void *p, *q;
  if (argc > 2)
    use(field(n), n), use(mine(n), n), use(block(n), n);
  double *a = use(field(n), n);
  double *b = malloc(n * 8), *c = use(field(n), n);
  use(b, n), use(row(n), n), use(row(n), n);
  use(block(n), n);
  use(block(n), n);
  if (need(&p, n * 8) || need(&q, n * 8))
    return 1;
  use(p, n), use(q, n);
  struct vec u = new_vec(n), v = new_vec(n);
  use(u.at, n), use(v.at, n);
  fill(&g, n);
  if (!build(&h, n))
    return 1;
  use(g.cells, n), use(g.old, n), use(h.cells, n), use(h.old, n);
  for (int i = 0; i < 2; ++i)
    use(column(n), n);
  use(again(n, argc), n);
  use(tall(n), n), use(tall(n), n);
  use(mine(n), n), use(mine(n), n), use(near(n), n), use(near(n), n);
  use(plain(n), n);
  double sum = a[0] + c[0] + first(&g)[0];
  for (int i = 0; i < count; ++i)
    sum += used[i][n / 2], free(used[i]);
  printf("%g\n", sum);
  return 0;
}
