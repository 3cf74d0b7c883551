// States of sites: removed by the optimiser, never called, never touched,
// touched only by code outside, or live.
// RUN: %bitcode %s -o %t.bc && %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
double *never_called(long n) { return malloc(n); }
double touched_by_nobody[100000], table[100000];
double *kept;
void keep(double *p) { kept = p; }
static void *wrapper(long n) { return malloc(n); }
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *elided = malloc(8);
  *elided = 3;
  free(elided);
  keep(wrapper(n));
  double *a = malloc(8 * n), *b = malloc(16 * n);
  struct {
    double *data;
  } box = {malloc(24 * n)}, *handle = &box;
  FILE *f = fopen(argv[2], "r");
  fread(b, 8, n, f);
  fread(&handle, 8, 1, f);
  for (long i = 0; i < n; i++)
    a[i] = i;
  printf("%g\n", a[n / 2] + table[argc]);
  return touched_by_nobody != argv;
}
// CHECK: site malloc site-states.c:10:39 size main:n dead
// CHECK: site malloc site-states.c:13:20 size ? elided
// CHECK-NEXT: site malloc site-states.c:17:15 size 8*main:n live
// CHECK-NEXT: site malloc site-states.c:17:35 size 16*main:n live
// CHECK-NEXT: site malloc site-states.c:20:12 size 24*main:n live
// CHECK-NEXT: site malloc site-states.c:6:39 size ? dead
// CHECK-NEXT: site global site-states.c:7:0 size 800000 dead
// CHECK-NEXT: site global site-states.c:7:0 size 800000 live
