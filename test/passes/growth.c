// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Values of tasks and calls that have no formula of their own grow with their
// source: through recursion that halves it, and captured by tasks. Iterations
// of a loop whose end differs in each call, or lines of a block, grow by their
// formula; a value of two numbers grows with none.
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static void work(long n, double *a) {
  memset(a, 0, n * 8);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      a[j] += 1;
}
static void halve(long n, long least, double *a) {
  if (n <= least || n % 2) {
    work(n, a);
    return;
  }
  long h = n / 2;
#pragma omp task
  halve(h, least, a);
#pragma omp task
  halve(h, least, a + h);
#pragma omp taskwait
}
__attribute__((noinline)) static void each(long m, double *a) {
  for (long i = 0; i < m; i++)
    a[i] += 1;
}
// A called loop grows with the calls as well: those of all callers, added up.
__attribute__((noinline)) static void line(long k, double *a) {
  for (long i = 0; i < k; i++)
    if (a[i] > 1)
      a[i] -= 1;
}
__attribute__((noinline)) static void lines(long rows, long most, double *a) {
  for (long i = 0; i < rows; i++)
    line(i % most, a);
}
int main(int argc, char **argv) {
  long size = atol(argv[1]), other = atol(argv[2]), least = atol(argv[3]);
  double *a = malloc((size + other) * 8);
#pragma omp parallel
#pragma omp single
  {
    halve(size, least, a);
    each(size, a);
    each(other, a);
  }
  lines(size, other, a);
  lines(other, size, a);
  return a[argc] > 1;
}
// CHECK-LABEL: {{^}}region serial
// CHECK-DAG: symbol work:n derived task growth.c:8:0 scales with main:size
// CHECK-DAG: symbol work:trip.11 measured task growth.c:11:5 scales with floordiv((work:n - 1)*work:n, 2)
// CHECK-DAG: symbol work:lines.9 measured task growth.c:9:3 scales with ceildiv(8*work:n, 64)
// CHECK-DAG: symbol each:m derived task growth.c:26:0 from 0{{$}}
// CHECK-DAG: symbol line:trip.32 measured program growth.c:32:3 scales with 2*line:k*lines:rows
// CHECK-DAG: symbol line:taken.34 measured program growth.c:34:12 scales with 2*line:k*lines:rows
// INPUTS 24 5 3 | 38 11 4
