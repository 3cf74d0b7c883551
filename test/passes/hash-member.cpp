// RUN: %bitcodexx %s -o %t.bc && %access %t.bc | FileCheck %s
// A hash table points to a bucket inside itself while it is small: an index
// into that is 0, and does not reach the record's other members.
#include <stdlib.h>
#include <unordered_map>
typedef struct Matrix_STRUCT {
  double *Values;
  std::unordered_map<long, int> Local;
  int *Rows;
} Matrix;
__attribute__((noinline)) static void number(Matrix &M, long N) {
  for (long I = 0; I < N; ++I)
    M.Local[I * 7] = I;
}
__attribute__((noinline)) static double sum(const Matrix &M, long N) {
  double S = 0;
  for (long I = 0; I < N; ++I)
    S += M.Values[I] * M.Rows[I];
  return S;
}
// CHECK-LABEL: {{^}}region serial
// CHECK-DAG: {{^}}  hash-member.cpp:18:10 new[]@hash-member.cpp:[[@LINE+5]]:15 stream(8) element 8 reads sum:N writes 0 exact{{$}}
// CHECK-DAG: {{^}}  hash-member.cpp:18:24 new[]@hash-member.cpp:[[@LINE+5]]:13 stream(4) element 4 reads sum:N writes 0 exact{{$}}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  Matrix *M = new Matrix;
  M->Values = new double[n]();
  M->Rows = new int[n]();
  number(*M, n);
  return sum(*M, n);
}
