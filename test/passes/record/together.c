// Consecutive accesses to one line are reported by one call: counts and
// transfers are those of a call per access.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw*
// RUN: env EVENKEEL_RAW=%t.raw %t.rec 2>&1 | FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A load, and a store to the same place: bits 32 and 33, once per line.
// IR-LABEL: define {{.*}} @update(
// IR-NOT: call void @__ek_rec_{{access|line|next|repeat}}
// IR: call void @__ek_rec_repeat(ptr {{[^,]*}}, i64 [[BOTH:[0-9]+]],
// IR-NOT: call void @__ek_rec_{{access|line|next|repeat}}
// IR: call void @__ek_rec_next(ptr {{[^,]*}}, i64 [[BOTH]],
// IR-NOT: call void @__ek_rec_{{access|line|next|repeat}}
// IR: {{^}}}
__attribute__((noinline)) void update(long n, double *a) {
  for (long i = 0; i < n; i++)
    a[i] *= 2;
}

// They are to different places.
// IR-LABEL: define {{.*}} @copy(
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR-NOT: call void @__ek_rec_line
// IR: {{^}}}
__attribute__((noinline)) void copy(double *a) { a[1] = 2 * a[0]; }

// Neighbours: one call if they are in one line; a test decides.
// IR-LABEL: define {{.*}} @sum(
// IR: icmp ult i64 {{.*}}, 64
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 32, i64 4)
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 8, i64 1)
// IR-NOT: call void @__ek_rec_{{access|line|next|repeat}}
// IR: {{^}}}
__attribute__((noinline)) double sum(const double *a) {
  return a[0] + a[1] + a[2] + a[3];
}

// An iteration's accesses are in another line than those of the previous one:
// nothing is counted from one iteration to the next.
// IR-LABEL: define {{.*}} @rows(
// IR: call void @__ek_rec_line(ptr {{[^,]*}}, i64 {{[0-9]+}}, i64 16, i64 2)
// IR-NOT: call void @__ek_rec_{{next|repeat}}
// IR: {{^}}}
__attribute__((noinline)) double rows(long n, const double *a) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[8 * i] * a[8 * i + 1];
  return s;
}

// Accesses to memory that is no object are counted the same.
__attribute__((noinline)) void next(char *p) { *p += 1; }

int main(void) {
  long n = 1000;
  double *a = aligned_alloc(64, n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = 1;
  update(n, a);
  copy(a);
  // Within a line, and across two of them.
  double s = sum(a) + sum(a + 6) + rows(n / 8, a);
  char *text = strdup("a");
  next(text);
  printf("%g %g %s\n", s, a[n - 1], text);
  free(text);
  free(a);
  return 0;
}
// 1000, 2000 in update, 2 in copy, 4 and 4, 250, 1 at the end.
// CHECK-DAG: 522 2 b
// CHECK-DAG: 3261 accesses recorded, 2 outside known objects
