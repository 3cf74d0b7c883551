// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Steps that are the same but for an edge, a wrap or a carry; addresses that
// are integers; pointers that a call might change and does not.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void periodic(double *a, const double *b, long n) {
  for (long i = 0; i < n; ++i)
    a[i] = b[i + 1 == n ? 0 : i + 1];
}
static double masked(const double *ring, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += ring[i & 4095];
  return s;
}
static void split(double *grid, long n, long m) {
  for (long k = 0; k < n * m; ++k)
    grid[k / m * 1000 + k % m] = k;
}
static double integers(const double *a, long rows, uintptr_t width) {
  double s = 0;
  const double *p = a;
  for (long i = 0; i < rows; ++i) {
    s += *p;
    p = (const double *)((uintptr_t)p + width * 8);
  }
  return s;
}
// sqrt may write errno: p->data could be loaded again behind it, or not.
struct boxed {
  double *data;
  double unit;
};
static void carried(struct boxed *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    if (p->data[i] <= 0)
      p->data[i] = sqrt(p->data[i] * p->unit) * p->data[i];
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  double *a = malloc(n * 8), *b = malloc(n * 8), *ring = malloc(4096 * 8);
  double *grid = malloc(n * 8000), *rows = malloc(n * m * 8);
  struct boxed *box = malloc(sizeof *box);
  box->data = malloc(n * 8);
  box->unit = m;
  periodic(a, b, n);
  double s = masked(ring, n) + integers(rows, n, m);
  split(grid, n, m);
  carried(box, n);
  return s > a[3] + grid[5];
}
// CHECK-LABEL: {{^}}region parallel even-steps.c:37:1 in carried{{$}}
// CHECK: {{^}}  even-steps.c:39:9 malloc@even-steps.c:48:15 stream(8) element 8 reads carried:taken.40 + share(carried:n) writes carried:taken.40 exact{{$}}
// CHECK-LABEL: {{^}}region serial even-steps.c:43:0 in main{{$}}
// CHECK: {{^}}  even-steps.c:10:10 malloc@even-steps.c:45:15 stream(8) element 8 reads 0 writes main:n exact{{$}}
// CHECK: {{^}}  even-steps.c:10:12 malloc@even-steps.c:45:35 stream(8) element 8 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  even-steps.c:15:10 malloc@even-steps.c:45:58 invariant element 8 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  even-steps.c:20:32 malloc@even-steps.c:46:18 stream(8) element 8 reads 0 writes main:m*main:n exact{{$}}
// CHECK: {{^}}  even-steps.c:26:10 malloc@even-steps.c:46:44 strided(8*main:m) element 8 reads main:n writes 0 exact{{$}}
// INPUTS 24 5 | 38 11
