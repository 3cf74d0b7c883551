// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Of p[i] and p[i + 1] one is loaded in each iteration and kept for the next,
// the first before the loop: one walk. So is a gather of short runs.
#include <stdlib.h>
#define APART __attribute__((noinline)) static
APART double rows(const int *p, const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++)
      s += x[j];
  return s;
}
APART long levels(const int *p, const int *q, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; ++j)
      for (int k = q[j]; k < q[j + 1]; ++k)
        s += k;
  return s;
}
APART void scan(int *p, int n) {
  for (int i = 0; i < n; i++)
    p[i + 1] += p[i];
}
APART double blocks(const int *col, const double *x, long n) {
  double s = 0;
  for (long b = 0; b < n; b++)
    for (long k = 0; k < 4; k++)
      s += x[4 * col[b] + k];
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *p1 = calloc(n + 1, 4);
  int *p2 = calloc(n + 1, 4);
  int *q2 = calloc(n + 1, 4);
  int *p3 = calloc(n + 1, 4);
  int *col = calloc(n, 4);
  double *x = calloc(n, 8);
  double *z = calloc(4 * n, 8);
  scan(p3, n);
  return rows(p1, x, n) + levels(p2, q2, n) + blocks(col, z, n) > 1;
}

// CHECK-LABEL: {{^}}region serial carried-rows.c:33:0 in main{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:17:18 calloc@carried-rows.c:36:13 stream(4) element 4 reads levels:n + min(1, max(0, levels:n)) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:18:20 calloc@carried-rows.c:37:13 stream(4) element 4 reads levels:taken.17 + levels:trip.17 writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:24:17 calloc@carried-rows.c:38:13 stream(4) element 4 reads min(1, max(0, scan:n)) + scan:n writes scan:n exact{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:30:12 calloc@carried-rows.c:41:15 random(8) element 8 reads 4*blocks:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}    run 4; blocks random of 32 bytes; index calloc@carried-rows.c:39:14{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:33:0 calloc@carried-rows.c:39:14 stream(4) element 4 reads blocks:n writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel carried-rows.c:8:1 in rows{{$}}
// CHECK-NEXT: {{^}}  carried-rows.c:10:18 calloc@carried-rows.c:35:13 stream(4) element 4 reads evenly(rows:n) + rows:taken.9 writes 0 bound why dynamic-schedule{{$}}
// CHECK: {{^}}  carried-rows.c:11:12 calloc@carried-rows.c:40:15 stream(8) element 8 reads rows:trip.10 writes 0 exact{{$}}
// INPUTS 24 | 38
