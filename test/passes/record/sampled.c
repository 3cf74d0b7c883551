// Sampled recording: a few inlined instructions decide whether an access is to
// its page's sampled line; the call of the recorder is off the main path, and
// costs are added up in registers.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw* && env EVENKEEL_RAW=%t.raw %t.rec 2>&1 | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double big[100000];

// IR-DAG: @__ek_rec_sampled_units = weak_odr constant i32 1, comdat
// IR-DAG: @ek.rec.shift = internal {{.*}}global i64 0

// The object's shift is read once; the test is a product and a comparison.
// IR-LABEL: define {{.*}} @gather(
// IR: and i64 %{{.*}}, -17592186044416
// IR: call i64 @__ek_rec_shift(ptr
// IR: mul i64 %{{.*}}, 7046029254386353131
// IR: lshr i64 %{{.*}}, 52
// IR: and i64 %{{.*}}, 4032
// IR: icmp eq i64
// IR: br i1 {{.*}}, !prof
// IR-NOT: @__ek_rec_access
// IR: {{^}}}
__attribute__((noinline)) double gather(long n, const int *index,
                                        const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += x[index[i]];
  return s;
}

// Neighbours share one test; each is reported.
// IR-LABEL: define {{.*}} @neighbours(
// IR-COUNT-1: mul i64
// IR-NOT: mul i64
// IR-COUNT-3: call void @__ek_rec_sample(
// IR-NOT: call void @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) long neighbours(long *p) {
  p[2] = p[0] + p[1];
  return p[2];
}

// Also where their common part varies.
// IR-LABEL: define {{.*}} @row(
// IR-COUNT-1: mul i64 %{{.*}}, 7046029254386353131
// IR-NOT: 7046029254386353131
// IR-COUNT-3: call void @__ek_rec_sample(
// IR-NOT: call void @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) double row(double (*m)[3], long i) {
  double s = 0;
  for (int c = 0; c < 3; c++)
    s += m[i][c];
  return s;
}

// Static arrays of the unit have one shift.
// IR-LABEL: define {{.*}} @fixed(
// IR: load i64, ptr @ek.rec.shift
// IR-NOT: @__ek_rec_shift(
// IR: {{^}}}
__attribute__((noinline)) double fixed(long i) { return big[i]; }

// IR-LABEL: define {{.*}} @copy(
// IR: mul i64
// IR: call void @__ek_rec_range(
// IR: call void @llvm.memcpy
__attribute__((noinline)) void copy(char *to, const char *from, size_t n) {
  memcpy(to, from, n);
}

int main(void) {
  long n = 1000000;
  int *index = malloc(n * sizeof *index);
  double *x = calloc(n, sizeof *x);
  for (long i = 0; i < n; i++)
    index[i] = (int)(i * 379 % n);
  double s = 0;
  for (int round = 0; round < 10; round++)
    s += gather(n - round, index, x);
  for (long i = 0; i < 100000; i++)
    s += fixed(i);
  neighbours((long *)x);
  copy((char *)x, (char *)index, 4 << 20);
  printf("%g\n", s + x[n / 3]);
  return 0;
}
// 1,000,000 + 20,000,000 + 100,000 accesses, 65,536 lines copied.
// CHECK: sampled: about 212{{[0-9]+}} accesses recorded; those outside
