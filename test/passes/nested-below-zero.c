// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A team within a team whose formula assumes that the iteration around it is
// not negative: the facts state its formula for starts from 0 only.
#include <stdlib.h>
__attribute__((noinline)) static void down(double *a, long m, long n) {
#pragma omp parallel for num_threads(2)
  for (long i = m; i < n; i++) {
#pragma omp parallel for num_threads(2)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < i; j++)
        a[j] += 1;
  }
}
int main(int argc, char **argv) {
  double *a = calloc(1000, 8);
  down(a, atol(argv[1]), atol(argv[2]));
  return a[0] > 1;
}

// CHECK: {{^}}region parallel nested-below-zero.c:6:1 in down{{$}}
// CHECK-NEXT: {{.*}} reads down:n*share(i < down:n - down:m: down:m + i) writes
// CHECK: {{^}}symbol down:m given program nested-below-zero.c:5:0 from 0
// INPUTS 24 5 | 38 11
