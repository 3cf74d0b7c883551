// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A team within a team: its region has its own rows, per task of its team, and
// the region around it has what the inner team does as one thread; neither uses
// a number of tasks of another region.
#include <stdlib.h>
#define APART __attribute__((noinline)) static
APART void triangle(double *a, long n) {
#pragma omp parallel for num_threads(2)
  for (long i = 0; i < n; i++) {
#pragma omp parallel for num_threads(2)
    for (long j = 0; j <= i; j++)
      a[i * n + j] += 1;
  }
}
APART void apart(double *b, long n) {
#pragma omp parallel for
  for (long j = 0; j < n; j++)
    b[j] += 1;
}
APART void called(double *b, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    apart(b + i * n, i * i);
}
APART void tasks(double *c, long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++)
#pragma omp task
#pragma omp parallel for
    for (long j = i; j < n; j++)
      c[j] += 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = calloc(n * n, 8);
  double *b = calloc(n * n * n, 8);
  double *c = calloc(n, 8);
  triangle(a, n);
  called(b, n);
  tasks(c, n);
  return a[0] + b[0] + c[0] > 1;
}

// CHECK-LABEL: {{^}}region parallel nested-teams.c:10:1 in triangle{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:12:20 calloc@nested-teams.c:36:15 stream(8) element 8 reads share(triangle:i + 1) writes share(triangle:i + 1) exact{{$}}
// CHECK-LABEL: {{^}}region parallel nested-teams.c:16:1 in apart{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:18:10 calloc@nested-teams.c:37:15 stream(8) element 8 reads share(apart:n) writes share(apart:n) exact{{$}}
// CHECK-LABEL: {{^}}region parallel nested-teams.c:21:1 in called{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:18:10 calloc@nested-teams.c:37:15 stream(8) element 8 reads apart:taken.16 writes apart:taken.16 exact{{$}}
// CHECK-LABEL: {{^}}region parallel nested-teams.c:26:1 in tasks{{$}}
// CHECK-LABEL: {{^}}region task nested-teams.c:29:1 in tasks{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:32:12 calloc@nested-teams.c:38:15 stream(8) element 8 reads tasks:taken.30 writes tasks:taken.30 exact{{$}}
// CHECK-LABEL: {{^}}region parallel nested-teams.c:30:1 in tasks{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:32:12 calloc@nested-teams.c:38:15 stream(8) element 8 reads share(tasks:n - tasks:i) writes share(tasks:n - tasks:i) exact{{$}}
// CHECK-LABEL: {{^}}region serial nested-teams.c:34:0 in main{{$}}
// CHECK: {{^}}  nested-teams.c:42:10 calloc@nested-teams.c:36:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:42:17 calloc@nested-teams.c:37:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:42:24 calloc@nested-teams.c:38:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel nested-teams.c:8:1 in triangle{{$}}
// CHECK-NEXT: {{^}}  nested-teams.c:12:20 calloc@nested-teams.c:36:15 stream(8) element 8 reads share(i < triangle:n: i + 1) writes share(i < triangle:n: i + 1) exact{{$}}
// INPUTS 24 | 38
