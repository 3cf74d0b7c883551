// Calls of wrappers are reported where they are open at an allocation, and an
// allocation that nothing uses stays.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clangxx -O2 -g -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s
#include <cstdlib>
static double *need(long N) {
  double *P = static_cast<double *>(malloc(N * sizeof *P));
  if (!P)
    exit(1);
  return P;
}
template <class T> T *array(long N) { return new T[N]; }

// The block is written and never read.
// CHECK-LABEL: define {{.*}} @_Z7inlinedl(
// CHECK: %[[DEPTH:.*]] = {{.*}}call i64 @__ek_rec_enter(i64 [[FIRST:-?[0-9]+]])
// CHECK: call {{.*}} @__ek_rec_malloc(i64 [[SITE:-?[0-9]+]],
// CHECK: call void @__ek_rec_leave(i64 %[[DEPTH]])
// CHECK: {{^}}}
void inlined(long N) { need(N)[0] = 1; }

// Each call in an expression is a separate context.
// CHECK-LABEL: define {{.*}} @_Z4bothl(
// CHECK-NOT: enter(i64 [[FIRST]])
// CHECK: call i64 @__ek_rec_enter(i64 [[A:-?[0-9]+]])
// CHECK: call {{.*}} @__ek_rec_malloc(i64 [[SITE]],
// CHECK-NOT: enter(i64 [[A]])
// CHECK: call i64 @__ek_rec_enter(i64
// CHECK: call {{.*}} @__ek_rec_malloc(i64 [[SITE]],
// CHECK: {{^}}}
long both(long N) { return need(N) < need(2 * N); }

// Two branches that differ only in their place stay two.
// CHECK-LABEL: define {{.*}} @_Z6eitherlb(
// CHECK: call {{.*}} @__ek_rec_malloc(
// CHECK: call {{.*}} @__ek_rec_malloc(
// CHECK: {{^}}}
void *either(long N, bool First) {
  if (First)
    return malloc(N);
  else
    return malloc(N + 8);
}

// The optimiser may remove blocks that are certainly small.
// CHECK-LABEL: define {{.*}} @_Z5smallv(
// CHECK-NOT: @__ek_rec_malloc(
// CHECK: {{^}}}
void small() { *static_cast<char *>(malloc(64)) = 1; }

// Where exceptions are caught, the calls that they left end.
// CHECK-LABEL: define {{.*}} @_Z6caughtl(
// CHECK: %[[AT:.*]] = {{.*}}call i64 @__ek_rec_depth()
// CHECK: landingpad
// CHECK: call void @__ek_rec_leave(i64 %[[AT]])
// CHECK: {{^}}}
double *caught(long N) {
  try {
    return array<double>(N);
  } catch (...) {
    return nullptr;
  }
}
