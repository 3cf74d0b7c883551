// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Row-major and column-major walks over one flat array.
#include <stdlib.h>
void by_rows(double *a, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = 2 * a[i * m + j];
}
void by_columns(double *a, long n, long m) {
#pragma omp parallel for
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] += 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  double *a = malloc(n * m * sizeof *a);
  by_rows(a, n, m);
  by_columns(a, n, m);
  return a[0] > 1;
}

// CHECK-LABEL: {{^}}region parallel flat2d.c:11:1 in by_columns{{$}}
// CHECK: {{^}}  flat2d.c:14:20 malloc@flat2d.c:18:15 strided(8*by_columns:m) element 8 reads by_columns:n*share(by_columns:m) writes by_columns:n*share(by_columns:m) exact{{$}}
// CHECK-LABEL: {{^}}region serial flat2d.c:16:0 in main{{$}}
// CHECK: {{^}}  flat2d.c:21:10 malloc@flat2d.c:18:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel flat2d.c:5:1 in by_rows{{$}}
// CHECK: {{^}}  flat2d.c:8:26 malloc@flat2d.c:18:15 stream(8) element 8 reads by_rows:m*share(by_rows:n) writes by_rows:m*share(by_rows:n) exact{{$}}
// CHECK: {{^}}site malloc flat2d.c:18:15 size 8*main:m*main:n live{{$}}
// CHECK: {{^}}symbol by_columns:n given program flat2d.c:10:0 from 0 = main:n{{$}}
// CHECK: {{^}}symbol by_columns:m given program flat2d.c:10:0 = main:m{{$}}
// CHECK: {{^}}symbol main:m given program flat2d.c:16:0{{$}}
// CHECK: {{^}}symbol main:n given program flat2d.c:16:0{{$}}
// CHECK: {{^}}symbol by_rows:m given program flat2d.c:4:0 from 0 = main:m{{$}}
// CHECK: {{^}}symbol by_rows:n given program flat2d.c:4:0 = main:n{{$}}
// INPUTS 24 5 | 38 11
