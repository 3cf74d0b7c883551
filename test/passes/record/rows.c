// A look-up of a row is told once, however many elements of it are accessed:
// before the loop through the row, or before the first of its fields.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.ekdb && env EVENKEEL_RECORD_LOOKUPS=1 %evenkeel record --misses --threads 2 -o %t.ekdb -- %t.rec
// RUN: %python %S/Inputs/row_counts.py %t.ekdb | FileCheck %s
#include <stdlib.h>
#include <string.h>
struct bucket {
  long key;
  double value, more;
};

// IR-LABEL: define {{.*}} @embed
// IR-COUNT-1: call void @__ek_rec_row(
// IR-NOT: @__ek_rec_row(
__attribute__((noinline)) double embed(const double *table, const int *idx,
                                       long n, long d) {
  double s = 0;
  for (long i = 0; i < n; i++)
    for (long k = 0; k < d; k++)
      s += table[idx[i] * d + k];
  return s;
}
// IR-LABEL: define {{.*}} @copied
// IR-COUNT-1: call void @__ek_rec_row(
// IR-NOT: @__ek_rec_row(
__attribute__((noinline)) void copied(float *out, float (*rows)[32],
                                      const int *idx, long n) {
  for (long i = 0; i < n; i++)
    memcpy(out + i * 32, rows[idx[i]], sizeof *rows);
}
// IR-LABEL: define {{.*}} @fields
// IR-COUNT-1: call void @__ek_rec_row(
// IR-NOT: @__ek_rec_row(
__attribute__((noinline)) void fields(struct bucket *table, const int *idx,
                                      long n) {
  for (long i = 0; i < n; i++)
    table[idx[i]].value += table[idx[i]].more;
}
// The segments of a sparse matrix are no rows, elements of its vector are.
// IR-LABEL: define {{.*}} @product
// IR-COUNT-1: call void @__ek_rec_row(ptr %0,
// IR-NOT: @__ek_rec_row(
__attribute__((noinline)) double product(const double *x, const double *value,
                                         const int *column, const long *first,
                                         long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    for (long k = first[i]; k < first[i + 1]; k++)
      s += value[k] * x[column[k]];
  return s;
}
// IR-LABEL: define {{.*}} @stream
// IR-NOT: @__ek_rec_row(
// IR: ret
__attribute__((noinline)) long stream(const long *a, long n, long *kept) {
  long m = 0;
  for (long i = 0; i < n; i++)
    if (a[i] > 0)
      kept[m++] = a[i];
  return m;
}
// IR-LABEL: define {{.*}} @main

int main(void) {
  enum { N = 20000, D = 10, LOOKUPS = 5000 };
  double *table = calloc(N * D, sizeof *table);
  float(*rows)[32] = calloc(N, sizeof *rows);
  float *out = calloc(LOOKUPS, 128);
  struct bucket *records = calloc(N, sizeof *records);
  double *x = calloc(N, sizeof *x), *value = calloc(LOOKUPS, sizeof *value);
  int *idx = calloc(LOOKUPS, sizeof *idx);
  long *first = calloc(LOOKUPS + 1, sizeof *first);
  // Every other look-up is of row 77, every tenth of the others of row 5.
  for (long i = 0; i < LOOKUPS; i++)
    idx[i] = i % 2 ? 77 : i % 20 == 0 ? 5 : (int)(100 + i % 1000);
  for (long i = 0; i <= LOOKUPS; i++)
    first[i] = i;
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long t = 0; t < 2; t++)
    s += embed(table, idx, LOOKUPS, D);
  copied(out, rows, idx, LOOKUPS);
  fields(records, idx, LOOKUPS);
  s += product(x, value, idx, first, LOOKUPS);
  return s + stream(first, LOOKUPS, first) < 0;
}
// CHECK: rows of 8 bytes from 0: 5000 look-ups, error 0, hottest 77:2500 5:250 102:5
// CHECK-NEXT: rows of 24 bytes from 0: 5000 look-ups, error 0, hottest 77:2500 5:250 102:5
// CHECK-NEXT: rows of 80 bytes from 0: 10000 look-ups, error 0, hottest 77:5000 5:500 102:10
// CHECK-NEXT: rows of 128 bytes from 0: 5000 look-ups, error 0, hottest 77:2500 5:250 102:5
// CHECK-NOT: rows
