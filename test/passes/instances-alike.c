// RUN: %bitcode -DWHO=one %s -o %t1.bc && %bitcode -DWHO=two %s -o %t2.bc
// RUN: %bitcode %s -o %t3.bc
// RUN: llvm-link %t1.bc %t2.bc %t3.bc -o %t.bc && %access %t.bc | FileCheck %s
// A unit that is compiled twice: two functions of one region that nothing
// distinguishes. Both count in each task, so their formulas are not exact.
#include <stdlib.h>
#ifndef WHO
void one(double *x, long n), two(double *x, long n);
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = calloc(n, 8), *b = calloc(n, 8);
  one(a, n);
  two(b, n);
  return a[0] + b[0] > 0;
}
#else
__attribute__((noinline)) static void set(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] = i;
}
void WHO(double *x, long n) { set(x, n); }
#endif
// CHECK: region parallel instances-alike.c:18:1 in set
// CHECK-NEXT: calloc@instances-alike.c:11:15 stream(8) {{.*}} writes {{.*}}share({{.*}} bound why functions-alike
// CHECK-NEXT: calloc@instances-alike.c:11:34 stream(8) {{.*}} writes {{.*}}share({{.*}} bound why functions-alike
