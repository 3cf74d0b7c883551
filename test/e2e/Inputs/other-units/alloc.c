/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "alloc.h"
#include <stdlib.h>
static void *get(size_t bytes) {
  void *p = malloc(bytes);
  if (!p)
    abort();
  return p;
}
double *field(long n) { return get(n * sizeof(double)); }
int need(void **p, size_t bytes) {
  *p = malloc(bytes);
  return !*p;
}
struct vec new_vec(long n) { return (struct vec){malloc(n * 8), n}; }
void fill(struct grid *g, long n) {
  g->cells = malloc(n * 8);
  g->old = malloc(n * 8);
}
double *again(long n, int depth) {
  return depth ? again(n, depth - 1) : malloc(n * 8);
}
double *first(struct grid *g) { return g->cells; }
