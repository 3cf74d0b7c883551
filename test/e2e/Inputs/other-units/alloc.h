/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
struct vec {
  double *at;
  long n;
};
struct grid {
  double *cells, *old;
};
double *field(long n); /* alloc.c */
int need(void **p, size_t bytes);
struct vec new_vec(long n);
void fill(struct grid *g, long n);
double *again(long n, int depth); /* calls itself */
double *row(long n);              /* rows.c: calls alloc.c */
double *column(long n);
int build(struct grid *g, long n);
double *block(long n); /* blocks.c: calls rows.c */
double *tall(long n);
double *first(struct grid *g); /* allocates nothing */
double *plain(long n);         /* plain.c */
static inline double *near(long n) { return field(n + 1); }
