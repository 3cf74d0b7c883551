// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// An address that is constant while a function runs changes with the loops
// around its calls.
#include <stdlib.h>

__attribute__((noinline)) static double at(const double *a, long i) {
  return a[i];
}
__attribute__((noinline)) static double gathered(const double *a,
                                                 const int *index, long i) {
  return a[index[i]];
}
// The address depends on a choice, and on an index that the caller passes.
__attribute__((noinline)) static double chosen(const double *a, long i, long n) {
  const double *p = i + 1 == n ? a + i : a + i / 3 * 7;
  return p[0];
}
// The loop is two calls up.
__attribute__((noinline)) static double row(const double *a, long j) {
  return at(a, 4 * j);
}
__attribute__((noinline)) static void once(double *a, double v) { a[5] = v; }

struct tree {
  struct tree *left, *right;
  double value;
};
__attribute__((noinline)) static double sum(const struct tree *t) {
  return t ? t->value + sum(t->left) + sum(t->right) : 0;
}

static int compare(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}
struct wide {
  double key, rest[5];
};
static int compare_wide(const void *x, const void *y) {
  double a = ((const struct wide *)x)->key, b = ((const struct wide *)y)->key;
  return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
         *c = malloc(n * sizeof *c), *d = malloc(n * sizeof *d);
  int *index = calloc(n, sizeof *index);
  struct tree *t = calloc(n, sizeof *t);
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += at(a, i) + at(a, i);
  for (long i = 0; i < n; ++i)
    s += gathered(b, index, i);
  for (long i = 0; i < n; ++i)
    s += chosen(c, i, n);
  for (long j = 0; j < n / 4; ++j)
    s += row(d, j);
  once(d, s);
  double *sorted = malloc(n * sizeof *sorted);
  struct wide *pairs = malloc(n * sizeof *pairs);
  qsort(sorted, n, sizeof *sorted, compare);
  qsort(pairs, n, sizeof *pairs, compare_wide);
  return sum(t) > s;
}
// CHECK-LABEL: {{^}}region serial callers.c:44:0 in main{{$}}
// CHECK: {{^}}  callers.c:11:10 malloc@callers.c:46:43 random element 8 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  callers.c:11:12 calloc@callers.c:48:16 stream(4) element 4 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  callers.c:16:10 malloc@callers.c:47:15 random element 8 reads main:n writes 0 exact why computed-index{{$}}
// CHECK: {{^}}  callers.c:29:17 calloc@callers.c:49:20 chase element 8 dependent reads 3*sum:taken.29 writes 0 exact{{$}}
// CHECK: {{^}}  callers.c:33:14 malloc@callers.c:60:20 stream(8) element 8 reads 2*compare:calls.32 writes 0 exact why library-sort{{$}}
// CHECK: {{^}}  callers.c:40:40 malloc@callers.c:61:24 random element 8 reads 2*compare_wide:calls.39 writes 0 exact why library-sort{{$}}
// CHECK: {{^}}  callers.c:7:10 malloc@callers.c:46:15,malloc@callers.c:47:43 strided element 8 reads floordiv(main:n, 4) + main:n writes 0 exact why callers-differ{{$}}
// INPUTS 24 | 38
