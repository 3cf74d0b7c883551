// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A size that is assigned to between its uses is several symbols: each region
// has the one that it captured, each loop the one that it began with.
#include <stdlib.h>
#define APART __attribute__((noinline)) static
APART long halves(double *a, double *b, long n, long k) {
  long z = n, s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < z; i++)
    s += a[i];
  for (long r = 0; r < k; r++)
    z = z > 100 ? z - 100 : 29;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < z; i++)
    s += b[i];
  return s + z;
}
// Called twice, with different sizes: its local variable is a separate symbol.
APART void twice(double *c, long n) {
  long z = n + 1;
  long *p = &z;
#pragma omp parallel
#pragma omp single
  for (long t = 0; t < 3; t++)
#pragma omp task
#pragma omp parallel for
    for (long i = 0; i < *p; i++)
      c[i] += 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), k = atol(argv[2]);
  double *a = calloc(n, 8);
  double *b = calloc(n, 8);
  double *c = calloc(2 * n, 8);
  twice(c, n);
  twice(c, n / 2);
  return halves(a, b, n, k) > 1;
}

// CHECK-LABEL: {{^}}region parallel reassigned.c:13:1 in halves{{$}}
// CHECK-NEXT: {{^}}  reassigned.c:15:10 calloc@reassigned.c:33:15 stream(8) element 8 reads share(halves:z#1) writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel reassigned.c:22:1 in twice{{$}}
// CHECK-LABEL: {{^}}region task reassigned.c:25:1 in twice{{$}}
// CHECK-NEXT: {{^}}  reassigned.c:28:12 calloc@reassigned.c:34:15 stream(8) element 8 reads twice:taken.26 writes twice:taken.26 exact{{$}}
// CHECK-LABEL: {{^}}region parallel reassigned.c:26:1 in twice{{$}}
// CHECK-NEXT: {{^}}  reassigned.c:28:12 calloc@reassigned.c:34:15 stream(8) element 8 reads share(twice:*p) writes share(twice:*p) exact{{$}}
// CHECK-LABEL: {{^}}region serial reassigned.c:30:0 in main{{$}}
// CHECK-LABEL: {{^}}region parallel reassigned.c:8:1 in halves{{$}}
// CHECK-NEXT: {{^}}  reassigned.c:10:10 calloc@reassigned.c:32:15 stream(8) element 8 reads share(halves:z) writes 0 exact{{$}}
// INPUTS 24 5 | 38 11
