// Loops that gather have a second version for many iterations, in strips:
// before each strip, which is the program's own code, a scout computes its
// addresses, prefetches the lines and reports the sampled ones.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled
// %clang -O2 -fno-unroll-loops -fpass-plugin=%ekpass -S -emit-llvm %s -o - |
// FileCheck %s

// CHECK-LABEL: define {{.*}} @gather(
// CHECK: icmp ult i64 %{{.*}}, 256
// CHECK: call void @__ek_rec_loop_open(
// CHECK: ek.scout:
// CHECK: load i32
// CHECK: call void @llvm.prefetch.p0(ptr %[[AT:.*]], i32 0, i32 3, i32 1)
// CHECK: call void @__ek_rec_loop_at(
// CHECK: call void @__ek_rec_sample(ptr {{.*}}%[[AT]],
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
double gather(long n, const int *index, const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += x[index[i]];
  return s;
}

// The loop may write the index: it cannot be read ahead.
// CHECK-LABEL: define {{.*}} @changes(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
void changes(long n, int *index, int *x) {
  for (long i = 0; i < n; i++)
    x[index[i]] = (int)i;
}

// The stores have another type than the index.
// CHECK-LABEL: define {{.*}} @scatters(
// CHECK: llvm.prefetch
// CHECK: {{^}}}
void scatters(long n, const int *index, double *x) {
  for (long i = 0; i < n; i++)
    x[index[i]] = (double)i;
}

// CHECK-LABEL: define {{.*}} @chase(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
long chase(long n, const long *next, long at) {
  for (long i = 0; i < n; i++)
    at = next[at];
  return at;
}

// Not executed in each iteration.
// CHECK-LABEL: define {{.*}} @sometimes(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
double sometimes(long n, const int *index, const double *w, const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++)
    if (w[i] > 0.5)
      s += x[index[i]];
  return s;
}

// The loop may be left before an access.
// CHECK-LABEL: define {{.*}} @leaves(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
double leaves(long n, const int *index, const double *x) {
  double s = 0;
  for (long i = 0; i < n && s < 100; i++)
    s += x[index[i]];
  return s;
}

// The effect of another function is not known.
void other(void);
// CHECK-LABEL: define {{.*}} @calls(
// CHECK-NOT: llvm.prefetch
// CHECK: {{^}}}
double calls(long n, const int *index, const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    s += x[index[i]];
    other();
  }
  return s;
}
