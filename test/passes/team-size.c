// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Shares that a program computes itself: what the OpenMP runtime reports about
// the team, and truth values, are the same on every input.
#include <omp.h>
#include <stdlib.h>
void walk(double *a, long n) {
#pragma omp parallel
  {
    long team = omp_get_num_threads(), me = omp_get_thread_num();
    long mine = n / team + (me < n % team);
    for (long i = 0; i < mine; i++)
      a[me * (n / team) + i] += 1;
  }
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = calloc(n, 8);
  walk(a, n);
  return a[0] > 1;
}
// CHECK: stream(8) element 8 reads walk:value.10.19 + walk:value.10.32 writes
// CHECK-DAG: symbol walk:value.10.19 derived task team-size.c:10:19 scales with walk:n
// CHECK-DAG: symbol walk:value.10.32 derived task team-size.c:10:32 scales with 1
// INPUTS 24 | 38
