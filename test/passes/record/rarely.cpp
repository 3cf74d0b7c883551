// Sampled code tests each address where it may run often. What only main calls,
// outside loops, and what runs when something is thrown, calls the recorder
// without a test: that code is smaller, and the recorder tests as well.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clangxx -O2 -g -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
void fails(double *);
double *memory(long);
static void rarely(double *a, long n);
static void looped(double *a, long n);

// CHECK-LABEL: define {{.*}} @_Z5oftenPdl(
// CHECK: lshr i64
// CHECK: call void @__ek_rec_sample(
// CHECK: {{^}}}
__attribute__((noinline)) void often(double *a, long n) { a[n] += 1; }

// CHECK-LABEL: define {{.*}} @_Z7catchesPdl(
// CHECK: landingpad
// CHECK-NOT: lshr i64
// CHECK: call void @__ek_rec_sample(
// CHECK: {{^}}}
__attribute__((noinline)) void catches(double *a, long n) {
  try {
    fails(a);
  } catch (...) {
    a[n] += 4;
  }
}

int main(int n, char **) {
  double *a = memory(n);
  rarely(a, n);
  for (long i = 0; i < n; i++)
    looped(a, i * n % 7);
  catches(a, n);
  return int(a[0]);
}

// CHECK-LABEL: define {{.*}} @_ZL6rarelyPdl(
// CHECK-NOT: lshr i64
// CHECK: call void @__ek_rec_sample(
// CHECK: {{^}}}
__attribute__((noinline)) static void rarely(double *a, long n) { a[n] += 2; }

// Called in a loop: not rare, though main alone calls it.
// CHECK-LABEL: define {{.*}} @_ZL6loopedPdl(
// CHECK: lshr i64
// CHECK: call void @__ek_rec_sample(
// CHECK: {{^}}}
__attribute__((noinline)) static void looped(double *a, long n) { a[n] += 3; }
