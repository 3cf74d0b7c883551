// Loops from pointer to pointer: the number of elements is a symbol, also where
// the code does not compute it. Where calls differ, a run counts it.
// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
#include <stdlib.h>
__attribute__((noinline)) static void once(double *p, double *end) {
  for (; p != end; ++p)
    *p += 1;
}
__attribute__((noinline)) static void twice(float *p, float *end) {
  for (; p != end; ++p)
    *p += 1;
}
__attribute__((noinline)) static void back(long *begin, long *p) {
  while (p != begin)
    *--p += 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = calloc(n, 8);
  float *b = calloc(n, 4);
  long *c = calloc(n, 8);
  once(a, a + n);
  twice(b, b + n);
  twice(b + 3, b + n);
  back(c, c + n);
  return (int)(a[0] + b[0] + c[0]);
}
// CHECK-LABEL: {{^}}region serial
// CHECK-DAG: calloc@distances.c:19:15 stream(8) element 8 reads once:(end - p) writes once:(end - p) exact
// CHECK-DAG: calloc@distances.c:20:14 stream(4) element 4 reads twice:trip.10 writes twice:trip.10 exact
// CHECK-DAG: calloc@distances.c:21:13{{.*}} stream(-8) element 8 reads back:(p - begin) writes back:(p - begin) exact
// CHECK-DAG: symbol once:(end - p) derived program
// INPUTS 24 | 38
