// A function has a plain body beside its recorded one and chooses between them
// on entry. Plain code reports no access, loop, region, barrier or symbol; its
// tasks and `single` are the OpenMP library's; only calls that release or move
// blocks go to the recorder.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.sampled.ll
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.full.ll
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=counts %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.counts.ll
// RUN: for mode in sampled full counts; do \
// RUN:   FileCheck %s --input-file=%t.$mode.ll || exit 1; \
// RUN:   sed -n '/^define.*ek.plain(/,/^}/p' %t.$mode.ll | FileCheck %s --check-prefix=PLAIN \
// RUN:     --implicit-check-not="call{{.*}}ek_rec" --implicit-check-not=ek_rec_tls --implicit-check-not=ek_rec_body || exit 1; done
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O0 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=LOW
#include <stdarg.h>
#include <stdlib.h>
void use(double *);
typedef double function(const double *, long);

// CHECK: @__ek_rec_body = external global i32

// CHECK-LABEL: define {{.*}} @sum(
// CHECK: load atomic i32, ptr @__ek_rec_body monotonic
// CHECK: br i1 {{.*}}, !prof
// CHECK: musttail call double @sum.ek.plain(
// CHECK-NEXT: ret double
// CHECK: {{^}}}
__attribute__((noinline)) double sum(const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  return s;
}

// Any library may replace it: plain code calls it by name.
__attribute__((weak, noinline)) double replaced(const double *a, long n) {
  return a[n];
}

// CHECK-LABEL: define {{.*}} @several(
// CHECK: musttail call i32 (i32, ...) @several.ek.plain(
__attribute__((noinline)) int several(int n, ...) {
  va_list a;
  va_start(a, n);
  int s = 0;
  while (n--)
    s += va_arg(a, int);
  va_end(a);
  return s;
}

// A function has only one address; the structure passed by value is copied.
// CHECK-LABEL: define {{.*}} ptr @chosen(
struct large {
  double words[20];
};
__attribute__((noinline)) function *chosen(void) { return sum; }
// CHECK-LABEL: define {{.*}} @copied(
// CHECK: {{^ *(tail )?}}{{.*}}= {{(tail )?}}call double @copied.ek.plain(
__attribute__((noinline)) double copied(struct large l, int n) {
  return l.words[n];
}

__attribute__((noinline)) double team(long n) {
  double *a = malloc(n * sizeof *a);
  double s = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp single
#pragma omp task
    use(a);
#pragma omp barrier
  }
  a = realloc(a, 2 * n * sizeof *a);
  s = sum(a, n) + replaced(a, n - 1);
  free(a);
  return s;
}

// PLAIN-LABEL: define internal {{.*}} @sum.ek.plain(
// PLAIN: fadd
// PLAIN-LABEL: define internal {{.*}} @replaced.ek.plain(
// PLAIN-LABEL: define internal {{.*}} @several.ek.plain(
// PLAIN-LABEL: define internal {{.*}} @chosen.ek.plain(
// PLAIN: ret ptr @sum{{(,.*)?$}}
// PLAIN-LABEL: define internal {{.*}} @copied.ek.plain(
// PLAIN-LABEL: define internal {{.*}} @team.ek.plain(
// PLAIN: call {{.*}}ptr @malloc(
// PLAIN: call void {{.*}}@__kmpc_fork_call({{.*}}, ptr {{.*}}@team.omp_outlined.ek.plain
// PLAIN: call {{.*}}@__ek_rec_realloc(
// PLAIN: call {{.*}}@sum.ek.plain(
// PLAIN: call {{.*}}@replaced(
// PLAIN: call void @__ek_rec_free(
// PLAIN-LABEL: define internal {{.*}} @team.omp_outlined.ek.plain(
// PLAIN: call void @__kmpc_dispatch_init_8({{.*}}, i32 {{35|1073741859}},
// PLAIN: call i32 @__kmpc_single(
// PLAIN: call i32 @__kmpc_omp_task(
// PLAIN: call void @__kmpc_barrier(

// Main and constructors run once.
// CHECK-LABEL: define {{.*}} @main(
// CHECK-NOT: ek_rec_body
// CHECK: {{^}}}
int main(int n, char **v) {
  struct large l = {{1}};
  return (int)team(n * 1000) + several(3, 1, 2, n) + (int)copied(l, n) +
         (chosen() == sum);
}

// Labels in a table belong to one body.
// CHECK-LABEL: define {{.*}} @steps(
// CHECK-NOT: ek_rec_body
// CHECK: {{^}}}
// CHECK: call void @__ek_rec_staying(i64 1, i64 0)
int steps(const char *code) {
  static const void *const labels[] = {&&add, &&end};
  int n = 0;
  goto *labels[*code & 1];
add:
  n++;
  goto *labels[*++code & 1];
end:
  return n;
}

// LOW-LABEL: define {{.*}} @sum(
// LOW: load atomic i32, ptr @__ek_rec_body monotonic
// LOW: musttail call double @sum.ek.plain(
// LOW: define internal {{.*}} @sum.ek.plain(
// LOW-NOT: ek_rec
// LOW: {{^}}}
