// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// One- and two-dimensional stencils; points that stay in registers from one
// iteration to the next still count as points.
#include <stdlib.h>
void line(const double *a, double *b, long n) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
void cross(const double *a, double *b, long n) {
#pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j];
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8);
  line(a, b, n);
  cross(a, b, n);
  return b[0] > 1;
}

// CHECK-LABEL: {{^}}region parallel stencil.c:11:1 in cross{{$}}
// CHECK: {{^}}  stencil.c:14:20 malloc@stencil.c:18:39 stream(8) element 8 reads 0 writes (cross:n - 2)*share(cross:n - 2) exact{{$}}
// CHECK: {{^}}  stencil.c:14:22 malloc@stencil.c:18:15 stencil(8) points 3 element 8 reads 3*(cross:n - 2)*share(cross:n - 2) writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region serial stencil.c:16:0 in main{{$}}
// CHECK: {{^}}  stencil.c:21:10 malloc@stencil.c:18:39 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel stencil.c:6:1 in line{{$}}
// CHECK: {{^}}  stencil.c:8:10 malloc@stencil.c:18:39 stream(8) element 8 reads 0 writes share(line:n - 2) exact{{$}}
// CHECK: {{^}}  stencil.c:8:12 malloc@stencil.c:18:15 stencil(8) points 3 element 8 reads 3*share(line:n - 2) writes 0 exact{{$}}
// CHECK: {{^}}site malloc stencil.c:18:15 size 8*main:n*main:n live{{$}}
// CHECK: {{^}}site malloc stencil.c:18:39 size 8*main:n*main:n live{{$}}
// CHECK: {{^}}symbol cross:n given program stencil.c:10:0 = main:n{{$}}
// CHECK: {{^}}symbol main:n given program stencil.c:16:0{{$}}
// CHECK: {{^}}symbol line:n given program stencil.c:5:0 = main:n{{$}}
// INPUTS 24 | 38
