// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Reversed, triangular, VLA pointer, symbolic stride.
#include <stdlib.h>
void reversed(double *a, long n) {
#pragma omp parallel for
  for (long i = n - 1; i >= 0; i--)
    a[i] *= 3;
}
void triangle(double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[j] += 1.5;
}
void vla(long n, long m, double (*u)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      u[i][j] += 2.5;
}
void strided(float *a, long n, long k) {
  for (long i = 0; i < n; i++)
    a[i * k] += 3.5f;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  double *r = malloc(n * 8);
  double *t = malloc(n * 8);
  double *v = malloc(n * m * 8);
  float *s = malloc(n * m * 4);
  reversed(r, n);
  triangle(t, n);
  vla(n, m, (double (*)[m])v);
  strided(s, n, m);
  return r[0] + t[0] + v[0] + s[0] > 1;
}

// CHECK-LABEL: {{^}}region serial shapes.c:23:0 in main{{$}}
// CHECK: {{^}}  shapes.c:12:12 malloc@shapes.c:26:15 stream(8) element 8 reads floordiv((main:n - 1)*main:n, 2) + main:n writes floordiv((main:n - 1)*main:n, 2) + main:n exact{{$}}
// CHECK: {{^}}  shapes.c:17:15 malloc@shapes.c:27:15 stream(8) element 8 reads main:m*main:n writes main:m*main:n exact{{$}}
// CHECK: {{^}}  shapes.c:21:14 malloc@shapes.c:28:14 strided(4*main:m) element 4 reads main:n writes main:n exact{{$}}
// CHECK: {{^}}  shapes.c:33:10 malloc@shapes.c:25:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}  shapes.c:33:17 malloc@shapes.c:26:15 invariant element 8 reads triangle:taken.10 writes 0 exact{{$}}
// CHECK: {{^}}  shapes.c:33:24 malloc@shapes.c:27:15 invariant element 8 reads triangle:taken.10 writes 0 exact{{$}}
// CHECK: {{^}}  shapes.c:33:31 malloc@shapes.c:28:14 invariant element 4 reads triangle:taken.10 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel shapes.c:5:1 in reversed{{$}}
// CHECK: {{^}}  shapes.c:7:10 malloc@shapes.c:25:15 stream(-8) element 8 reads share(reversed:n) writes share(reversed:n) exact{{$}}
// CHECK: {{^}}site malloc shapes.c:25:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc shapes.c:26:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc shapes.c:27:15 size 8*main:m*main:n live{{$}}
// CHECK: {{^}}site malloc shapes.c:28:14 size 4*main:m*main:n live{{$}}
// CHECK: {{^}}symbol main:n given program shapes.c:23:0 from 0{{$}}
// CHECK: {{^}}symbol main:m given program shapes.c:23:0 from 0{{$}}
// CHECK: {{^}}symbol reversed:n given program shapes.c:4:0 = main:n{{$}}
// INPUTS 24 5 | 38 11
