// Each body of a function has its own debug locations, also where the function
// was inlined into another; the verifier of a link would reject it otherwise.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: %opt -passes=verify -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=NOTHING --allow-empty

// CHECK: define {{.*}} @sum(
// CHECK: define {{.*}} @part(
// CHECK: define {{.*}} @sum.ek.plain(
// CHECK-NOT: call {{.*}}@part
// CHECK: define {{.*}} @part.ek.plain(
// NOTHING-NOT: {{.}}
double part(const double *a);
double sum(const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += part(a + i);
  return s;
}
double part(const double *a) { return a[0] * a[1]; }
