// RUN: %clang -O2 -g -fopenmp -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc
// RUN: %opt -load-pass-plugin %ekpass -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
// Blocks of one wrapper are told apart by the calls of it.
#include <stdlib.h>
static void *checked(size_t bytes) {
  void *p = malloc(bytes);
  if (!p)
    exit(1);
  return p;
}
static double *vector(long n) { return checked(n * sizeof(double)); }
void axpy(double *y, const double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += 2 * x[i];
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *x = vector(n);
  double *y = vector(2 * n);
  axpy(y, x, n);
  return y[0] > 1;
}
// CHECK-LABEL: region parallel contexts.c:13:1 in axpy
// CHECK-DAG: malloc@contexts.c:6:13 from contexts.c:11:40<contexts.c:19:15 stream(8) element 8 reads share(axpy:n) writes 0 exact
// CHECK-DAG: malloc@contexts.c:6:13 from contexts.c:11:40<contexts.c:20:15 stream(8) element 8 reads share(axpy:n) writes share(axpy:n) exact
// CHECK: site malloc contexts.c:6:13 size 8*main:n or 16*main:n live
// CHECK-DAG: context malloc contexts.c:6:13 from contexts.c:11:40<contexts.c:19:15 size 8*main:n
// CHECK-DAG: context malloc contexts.c:6:13 from contexts.c:11:40<contexts.c:20:15 size 16*main:n
