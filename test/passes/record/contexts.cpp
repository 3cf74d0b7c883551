// Calls of wrappers are told where they are open at an allocation, and an
// allocation stays that nobody needs.
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

// Each call of one expression is another.
// CHECK-LABEL: define {{.*}} @_Z4bothl(
// CHECK-NOT: enter(i64 [[FIRST]])
// CHECK: call i64 @__ek_rec_enter(i64 [[A:-?[0-9]+]])
// CHECK: call {{.*}} @__ek_rec_malloc(i64 [[SITE]],
// CHECK-NOT: enter(i64 [[A]])
// CHECK: call i64 @__ek_rec_enter(i64
// CHECK: call {{.*}} @__ek_rec_malloc(i64 [[SITE]],
// CHECK: {{^}}}
long both(long N) { return need(N) < need(2 * N); }

// Two arms that differ in nothing but the place stay two.
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

// Blocks that are small for certain are the optimiser's.
// CHECK-LABEL: define {{.*}} @_Z5smallv(
// CHECK-NOT: @__ek_rec_malloc(
// CHECK: {{^}}}
void small() { *static_cast<char *>(malloc(64)) = 1; }

// Where exceptions are caught, calls that they left end.
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
