// Teams within teams: whatever levels the program allows, an inner team has one
// thread while recording, so that all its accesses are recorded.
// RUN: %clang -O2 -g -fopenmp %s -o %t.plain
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.ekdb && env OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=2 %t.plain > %t.out.plain
// RUN: env OMP_NUM_THREADS=2 OMP_MAX_ACTIVE_LEVELS=2 %evenkeel record -o %t.ekdb -- %t.rec > %t.out 2> %t.err && cmp %t.out.plain %t.out
// RUN: FileCheck %s < %t.err --check-prefix=ERR
// RUN: %python %S/Inputs/site_counts.py %t.ekdb | FileCheck %s
// ERR-NOT: foreign-thread
// ERR: nested-parallel: 50 times
// ERR-NOT: foreign-thread
// CHECK: 1. site {{.*}} reads 1 writes 875
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void triangle(volatile double *a, long n) {
#pragma omp parallel for num_threads(2)
  for (long i = 0; i < n; i++) {
#pragma omp parallel for num_threads(2)
    for (long j = 0; j <= i; j++)
      a[i * n + j] = 1;
  }
}
int main(void) {
  volatile double *a = calloc(40 * 40, sizeof *a);
  triangle(a, 40);
  triangle(a, 10);
  printf("%g\n", a[40 * 39]);
}
