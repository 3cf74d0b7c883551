// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Runs of consecutive elements before a walk jumps: blocks of a wider grid and
// every other row have them, whole grids do not.
#include <stdlib.h>
void block(double *a, long n, long i0, long i1, long j0, long j1) {
#pragma omp task
  for (long i = i0; i < i1; i++)
    for (long j = j0; j < j1; j++)
      a[i * n + j] += 1;
}
void whole(double *b, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[i * n + j] = 1;
}
void others(double *c, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      c[2 * i * m + j] = 1;
}
void again(double *d, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      d[j] += 1;
}
void triangle(double *e, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      e[i * n + j] = 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  double *a = malloc(n * n * 8);
  double *b = malloc(n * n * 8);
  double *c = malloc(2 * n * m * 8);
  double *d = malloc(m * 8);
  double *e = malloc(n * n * 8);
  block(a, n, 1, m, 2, n / 2);
  whole(b, n);
  others(c, n, m);
  again(d, n, m);
  triangle(e, n);
  return a[0] + b[1] + c[2] + d[3] + e[4] > 1;
}

// CHECK-LABEL: {{^}}region parallel runs.c:12:1 in whole{{$}}
// CHECK-NEXT: {{^}}  runs.c:15:20 malloc@runs.c:35:15 stream(8) element 8 reads 0 writes share(whole:n)*whole:n exact{{$}}
// CHECK-LABEL: {{^}}region serial runs.c:32:0 in main{{$}}
// CHECK-NEXT: {{^}}  runs.c:20:24 malloc@runs.c:36:15 stream(8) {{.*}}
// CHECK-NEXT: {{^}}    run main:m{{$}}
// CHECK-NEXT: {{^}}  runs.c:25:12 malloc@runs.c:37:15 stream(8) {{.*}}
// CHECK-NEXT: {{^}}    reuse main:n; run main:m{{$}}

// Rows of different lengths have no single length of run.
// CHECK-NEXT: {{^}}  runs.c:30:20 malloc@runs.c:38:15 stream(8) {{.*}}
// CHECK-NOT: {{^ +run }}
// CHECK-LABEL: {{^}}region task runs.c:6:1 in block{{$}}
// CHECK-NEXT: {{^}}  runs.c:9:20 malloc@runs.c:34:15 stream(8) {{.*}}
// CHECK-NEXT: {{^}}    run max(0, block:j1 - block:j0){{$}}
// INPUTS 24 5 | 38 11
