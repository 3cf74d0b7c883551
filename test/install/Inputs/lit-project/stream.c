// REQUIRES: evenkeel
// RUN: %ek-bitcode -fopenmp %s -o %t.bc && %ek-facts %t.bc | FileCheck %s
// RUN: %ek-opt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s --check-prefix=SITES
#include <stdlib.h>
void scale(double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] *= 2;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * sizeof *a);
  scale(a, n);
  return a[0] > 1;
}
// CHECK-LABEL: {{^}}region parallel stream.c:6:1 in scale{{$}}
// CHECK-NEXT: {{^}}  stream.c:8:10 malloc@stream.c:12:15 stream(8) element 8 reads share(scale:n) writes share(scale:n) exact{{$}}
// CHECK: {{^}}site malloc stream.c:12:15 size 8*main:n live{{$}}
// SITES: site malloc stream.c:12:15 in main id=
