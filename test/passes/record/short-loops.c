// Loops that the compiler unrolls are unrolled in recorded programs, too:
// values that are then in registers are not recorded as memory. Symbols are
// still those of the loops in the source: the four conditional loads of a row
// are one block, whose executions are counted.
//
// RUN: env EVENKEEL_PASS=record %clang -g -O2 -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: env EVENKEEL_PASS=record %clang -g -O0 -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
//
// CHECK-LABEL: define internal void @rows.omp_outlined(
// CHECK-NOT: [4 x double]
// CHECK: call void @__ek_rec_line
// CHECK: call {{.*}}void @{{__ek_rec_symbol|ek.rec.tell}}(
// CHECK-LABEL: {{^}}}
// PLAIN: define {{.*}} @rows.omp_outlined
// PLAIN: [4 x double]
// PLAIN: call {{.*}}void @{{__ek_rec_symbol|ek.rec.tell}}(
double rows(const double *a, const char *wanted, long n) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (long i = 0; i < n; i++) {
    double sum[4] = {0};
    for (int j = 0; j < 4; j++)
      if (wanted[4 * i + j])
        sum[j] += a[4 * i + j];
    total += sum[0] * sum[1] + sum[2] * sum[3];
  }
  return total;
}
