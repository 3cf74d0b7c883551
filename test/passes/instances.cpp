// RUN: %bitcodexx %s -o %t.bc && %access %t.bc | FileCheck %s
// A region in a template is one place and, here, three functions. A task runs
// one of them: rows of each are 0 in tasks of the others, also where the value
// that they count with is another task's, and where all call one function. A
// symbol of code that only one of them runs is 0 in the others anyway.
#include <cstdlib>
__attribute__((noinline)) static long last(const int *next, long i) {
  while (next[i] >= 0)
    i = next[i];
  return i;
}
template <class T> static void each(T *to, const int *next, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    to[i] = last(next, i);
    if (next[i] % 3 == 0)
      to[i] += 1;
  }
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  int *next = (int *)calloc(n, sizeof *next);
  auto *a = new double[n];
  auto *b = new float[n];
  auto *c = new long[n];
  each(a, next, n / 2);
  each(b, next, n / 3);
  each(c, next, n);
  return a[0] + b[0] + c[0] < 0;
}
// CHECK: region parallel instances.cpp:13:1 in each
// CHECK-NEXT: new[]@instances.cpp:25:13 {{.*}} writes [[C:each:calls.13[~12]*]]*share(each:n{{.*}}) + each:taken.17{{(~[12])?}} exact
// CHECK: new[]@instances.cpp:23:13 {{.*}} writes [[A:each:calls.13[~12]*]]*share(each:n{{.*}}) + each:taken.17{{(~[12])?}} exact
// CHECK: new[]@instances.cpp:24:13 {{.*}} writes [[B:each:calls.13[~12]*]]*share(each:n{{.*}}) + each:taken.17{{(~[12])?}} exact
// CHECK-COUNT-3: calloc{{.*}} reads each:calls.13{{(~[12])?}}*share(each:n{{(~[12])?}}) writes 0 exact
// CHECK-DAG: reads [[A]]*last:trip.8 writes 0 exact
// CHECK-DAG: reads [[B]]*last:trip.8 writes 0 exact
// CHECK-DAG: reads [[C]]*last:trip.8 writes 0 exact
// CHECK: region serial
// CHECK-NOT: region parallel
// CHECK-COUNT-3: symbol each:calls.13{{.*}} measured task
