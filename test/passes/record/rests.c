// A function that may be on the first thread's stack when the record ends tests
// again in each iteration of a loop in which that may happen, and before its
// other loops; the rest of the function is a separate function.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: sed -n '/^define.*ek.plain.rest(/,/^}/p' %t.ll | FileCheck %s --check-prefix=REST --implicit-check-not="call{{.*}}ek_rec" --implicit-check-not=ek_rec_body
#include <setjmp.h>
void unknown(double *), *memory(long);

// CHECK-LABEL: define {{.*}} @solve(
// CHECK-DAG: musttail call double @solve.ek.plain(
// CHECK-DAG: call double @solve.ek.plain.rest(i32 0,
// CHECK-DAG: call double @solve.ek.plain.rest(i32 1,
// CHECK-NOT: .rest(
// CHECK: {{^}}}
__attribute__((noinline)) double solve(double *a, long n, int steps) {
  double r = 0;
  for (int s = 0; s < steps; s++) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      a[i] += s;
    r += a[s];
  }
  for (long i = 0; i < n; i++)
    r += a[i] * a[n - 1 - i];
  return r;
}

// Loops in which the record cannot end, nor before them: no tests.
// CHECK-LABEL: define {{.*}} @quiet(
// CHECK-COUNT-1: ek_rec_body
// CHECK-NOT: ek_rec_body
// CHECK: {{^}}}
__attribute__((noinline)) double quiet(const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  unknown(&s);
  return s;
}

// The stack memory that the loop releases is this function's; and a function to
// which a longjmp may return must still run this code.
// CHECK-LABEL: define {{.*}} @variable(
// CHECK-NOT: .rest(
// CHECK: {{^}}}
__attribute__((noinline)) void variable(long n) {
  for (long i = 1; i < n; i++) {
    double row[i];
    unknown(row);
  }
}
// CHECK-LABEL: define {{.*}} @jumps(
// CHECK-NOT: .rest(
// CHECK: {{^}}}
static jmp_buf back;
__attribute__((noinline)) void jumps(double *a, long n) {
  if (setjmp(back))
    return;
  for (long i = 1; i < n; i++)
    unknown(a + i);
}

// CHECK-LABEL: define {{.*}} @main(
// CHECK: call i32 @main.ek.plain.rest(i32 0,
int main(int n, char **v) {
  double *a = memory(n);
  for (int i = 0; i < n; i++)
    unknown(a);
  variable(n);
  jumps(a, n);
  return (int)(solve(a, n, n) + quiet(a, n));
}

// CHECK: call void @__ek_rec_staying(i64 0, i64 2)

// REST-LABEL: define internal double @solve.ek.plain.rest(i32
// REST: call void {{.*}}@__kmpc_fork_call({{.*}}@solve.omp_outlined.ek.plain
// REST-LABEL: define internal {{.*}}i32 @main.ek.plain.rest(i32
// REST-DAG: call void @unknown(
// REST-DAG: call {{.*}}@variable.ek.plain(
