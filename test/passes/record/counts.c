// Counting costs nothing inside loops whose trip counts are known, one addition
// per counter in other loops, and a look-up of the object where a pointer moves
// to another object.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=counts
// %clang -O2 -g -fopenmp -fno-vectorize -fno-unroll-loops -fpass-plugin=%ekpass
// -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>

// CHECK-DAG: @__ek_rec_counted_units = weak_odr constant i32 1, comdat
// CHECK-NOT: call void @__ek_rec_{{access|line|next|repeat|sample}}

// Two loops around it: counted once, reported at the end.
// CHECK-LABEL: define {{.*}} @nest(
// CHECK: mul {{.*}}i64
// CHECK-NOT: call {{.*}}@__ek_rec_count
// CHECK: br i1
// CHECK: call void @__ek_rec_count(i64 {{[^,]*}}, i64 {{[^,]*}}, i64
// CHECK: ret void
__attribute__((noinline)) void nest(long n, long m, double *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
}

// Before the block ends, and not after.
// CHECK-LABEL: define {{.*}} @ends(
// CHECK: call void @__ek_rec_count(
// CHECK: call void @__ek_rec_free(
// CHECK-NOT: @__ek_rec_count
// CHECK: {{^}}}
__attribute__((noinline)) double ends(long n) {
  double *a = malloc(n * sizeof *a), sum = 0;
  for (long i = 0; i < n; i++)
    a[i] = (double)i;
  for (long i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(a);
  return sum;
}

// A call that ends nothing keeps the counts in registers.
// CHECK-LABEL: define {{.*}} @calls(
// CHECK: call {{.*}}@twice(
// CHECK-NOT: @__ek_rec_count
// CHECK: br i1
// CHECK: @__ek_rec_count
__attribute__((noinline)) double twice(const double *a) { return *a * 2; }
__attribute__((noinline)) double calls(long n, const double *a) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[i] + twice(a + i);
  return sum;
}

// A list: each address is compared with the range of the node's object.
// CHECK-LABEL: define {{.*}} @walk(
// CHECK: [[FAR:%.*]] = icmp ult i64
// CHECK: call { i64, i64 } @__ek_rec_move(
// CHECK: {{^}}}
struct node {
  struct node *next;
  long value;
};
__attribute__((noinline)) long walk(const struct node *p) {
  long sum = 0;
  for (; p; p = p->next)
    sum += p->value;
  return sum;
}

int main(int argc, char **argv) {
  double *a = calloc(1000000, sizeof *a);
  struct node *list = NULL;
  for (int i = 0; i < 1000; i++) {
    struct node *p = malloc(sizeof *p);
    p->next = list;
    p->value = i;
    list = p;
  }
  nest(1000, 1000, a);
  return walk(list) + ends(1000) + calls(1000, a) < 0;
}
