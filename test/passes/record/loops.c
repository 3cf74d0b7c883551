// Sampled recording: a counted loop's regular accesses are described in front of
// it; nothing is left in a loop that has no others, and it is vectorised.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -lm -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: %clang -O2 -fopenmp %s -o %t.plain -lm
// RUN: rm -f %t.raw* && env EVENKEEL_RAW=%t.raw %t.rec > %t.out 2> %t.err
// RUN: %t.plain | diff - %t.out
// RUN: FileCheck %s --input-file=%t.err
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// IR-LABEL: define {{.*}} @triad(
// IR: call void @__ek_rec_loop(ptr {{.*}}, i64 3, i64 %
// IR: store <2 x double>
// IR-NOT: @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) void triad(long n, double *a, const double *b,
                                     const double *c) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 3 * c[i];
}

// The index is described, the gather is not; a call of the maths library does
// not end the description.
// IR-LABEL: define {{.*}} @gather(
// IR: call void @__ek_rec_loop_open(ptr {{.*}}, i64 1, i64 %
// IR-DAG: call void @__ek_rec_loop_at(i64
// IR-DAG: call void @__ek_rec_sample(
// IR-DAG: call void @__ek_rec_loop_close()
// IR: {{^}}}
__attribute__((noinline)) double gather(long n, const int *index,
                                        const double *x) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += exp(x[index[i]]);
  return s;
}

// Neither a loop that may end early nor one that calls is described.
// IR-LABEL: define {{.*}} @find(
// IR-NOT: @__ek_rec_loop
// IR: call void @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) long find(long n, const double *a, double what) {
  for (long i = 0; i < n; i++)
    if (a[i] == what)
      return i;
  return -1;
}
// IR-LABEL: define {{.*}} @calls(
// IR-NOT: @__ek_rec_loop
// IR: call void @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) void calls(long n, double *a) {
  for (long i = 0; i < n; i++) {
    a[i] += 1;
    if (!getenv("HOME"))
      puts("no home");
  }
}

// Backwards, and a column of a matrix.
__attribute__((noinline)) double back(long n, const double *a) {
  double s = 0;
  for (long i = n - 1; i >= 0; i--)
    s = s / 2 + a[i];
  for (long i = 0; i < n / 1000; i++)
    s = s / 2 + a[i * 1000 + 7];
  return s;
}

int main(void) {
  long n = 1000000;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  double *c = malloc(n * sizeof *c);
  int *index = malloc(n * sizeof *index);
  for (long i = 0; i < n; i++) {
    index[i] = (int)(i * 379 % n);
    b[i] = (double)i;
    c[i] = 1.0 / (double)(i + 1);
  }
  for (int round = 0; round < 3; round++)
    triad(n, a, b, c);
  calls(n, a);
  printf("%.9g %.9g %ld\n", gather(n, index, c), back(n, a),
         find(n, b, 1234567.0));
  return 0;
}
// 3 + 9 million, calls 2, gather 2, back 1.001, find 1.
// CHECK: sampled: about {{1799|1800|1801}}{{[0-9]+}} accesses recorded; those outside
