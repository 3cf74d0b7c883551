// Which calls are inserted: none for the stack, constants and small static
// variables.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fno-vectorize -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
#include <string.h>

static const int constant[4] = {1, 2, 3, 4};
int scalar;
double big[100000];

// CHECK: @llvm.global_ctors = {{.*}} { i32 101, ptr @ek.rec.globals
// CHECK: @__ek_rec_abi_v6 = external

// A read and a write of 8 bytes; costs go to the thread's counters.
// CHECK-LABEL: define {{.*}} @scale(
// CHECK: call {{.*}} @llvm.threadlocal.address.p0(ptr {{.*}}@__ek_rec_tls)
// CHECK: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{-?[0-9]+}}, i64 8, i64 1)
// CHECK: load double
// CHECK: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{-?[0-9]+}}, i64 8, i64 1)
// CHECK: store double
// CHECK-NOT: @__ek_rec_line
// CHECK: {{^}}}
void scale(double *a, const double *b) { a[0] = 2 * b[0]; }

// Accesses that threads may share are reported only to find races (bit 36).
// CHECK-LABEL: define {{.*}} @quiet(
// CHECK-NOT: @__ek_rec_access
// CHECK: call void @__ek_rec_access(ptr {{.*}}@scalar, i64 {{[0-9]+}})
// CHECK: call void @__ek_rec_access(ptr {{.*}}@scalar, i64 {{[0-9]+}})
// CHECK-NOT: @__ek_rec_access
// CHECK: {{^}}}
int quiet(int i) {
  int local[4];
  for (int k = 0; k < 4; k++)
    local[k] = constant[k] + scalar++;
  return local[i & 3];
}

// CHECK-LABEL: define {{.*}} @blocks(
// CHECK: call {{.*}}@__ek_rec_malloc(i64 {{-?[0-9]+}}, i64
// CHECK: call void @__ek_rec_range(ptr {{.*}}, i64 {{.*}}, i64 {{-?[0-9]+}})
// CHECK: call void @llvm.memcpy
// CHECK: call {{.*}}@__ek_rec_free(ptr
void blocks(const char *from, size_t n, void (*use)(char *)) {
  char *p = malloc(n);
  memcpy(p, from, n);
  use(p);
  free(p);
}

// CHECK-LABEL: define {{.*}} @team(
// CHECK: call void @__ek_rec_fork()
// CHECK: @__kmpc_fork_call(
// CHECK-NEXT: call void @__ek_rec_join(i64 {{-?[0-9]+}})
// CHECK: call {{.*}}@__ek_rec_region_begin(i64 {{-?[0-9]+}})
// dynamic,7 (35) becomes static,7 (33)
// CHECK: call void @__kmpc_dispatch_init_4({{.*}}, i32 33, i32 0, i32 {{.*}}, i32 1, i32 7)
// CHECK: call void @__ek_rec_barrier(i64 {{-?[0-9]+}})
// CHECK: call void @__kmpc_barrier(
// CHECK: call i32 @__ek_rec_single(
// CHECK: call void @__ek_rec_region_end()
// CHECK-NEXT: ret void
void team(double *a, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < n; i++)
      a[i] += big[i];
#pragma omp single nowait
    a[0] = 0;
  }
}

// CHECK-LABEL: define {{.*}} @spawn(
// CHECK: call i32 @__ek_rec_omp_task(
// CHECK: call i32 @__kmpc_omp_taskwait(
// CHECK-NEXT: call void @__ek_rec_taskwait()
void spawn(double *a) {
#pragma omp task
  a[1] = 2;
#pragma omp taskwait
}

// CHECK: define internal {{.*}}omp_task_entry
// CHECK: %[[TOKEN:.*]] = {{.*}}call i64 @__ek_rec_task_begin(i64 {{-?[0-9]+}})
// CHECK: call void @__ek_rec_task_end(i64 %[[TOKEN]])
