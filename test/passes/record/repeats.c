// In an innermost loop, accesses that stay in one line are counted inline and
// reported once per line; counts and transfers are those of a call per access.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw*
// RUN: env EVENKEEL_RAW=%t.raw %t.rec 2>&1 | FileCheck %s
#include <stdio.h>
#include <stdlib.h>

// 3 * 1000 reads and 1000 writes by walks, one gather in each iteration.
// IR-LABEL: define {{.*}} @walk(
// IR-DAG: icmp ult i64 {{.*}}, 64
// IR-DAG: call void @__ek_rec_next(
// IR-DAG: call void @__ek_rec_repeat(
__attribute__((noinline)) double walk(long n, double *a, const double *b,
                                      const int *index, const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    a[i] = 2 * b[i] + a[i];
    s += x[index[i]];
  }
  return s;
}

// A call may end the task: every access is reported.
// IR-LABEL: define {{.*}} @calls(
// IR-NOT: @__ek_rec_{{next|repeat}}
// IR: ret void
__attribute__((noinline)) void calls(long n, double *a) {
  for (long i = 0; i < n; i++) {
    a[i] = 1;
    if (!getenv("HOME"))
      puts("no home");
  }
}

int main(void) {
  long n = 1000;
  double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
  double *x = calloc(n, sizeof *x);
  int *index = malloc(n * sizeof *index);
  for (long i = 0; i < n; i++)
    index[i] = (int)(i * 379 % n);
  calls(n, a);
  double s = walk(n, a, b, index, x);
  printf("%g %g\n", s, a[n - 1]);
  return 0;
}
// 1000 for index, 1000 in calls, 5000 in walk, 1 at the end.
// CHECK-DAG: 0 1
// CHECK-DAG: 7001 accesses recorded, 0 outside known objects
