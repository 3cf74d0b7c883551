// Large arrays on the stack are recorded, and released where their scope ends:
// in loops, at returns, after exceptions, in recursion, in threads.
// RUN: %clangxx -O2 -g -fopenmp %s -o %t.plain
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clangxx -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.ekdb && env OMP_NUM_THREADS=4 %t.plain > %t.out.plain
// RUN: env OMP_NUM_THREADS=4 %evenkeel record -o %t.ekdb -- %t.rec > %t.out 2> %t.err && cmp %t.out.plain %t.out
// RUN: FileCheck %s < %t.err --check-prefix=ERR
// RUN: %python %S/Inputs/site_counts.py %t.ekdb | FileCheck %s
#include <alloca.h>
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) static double fill(volatile double *P, long N) {
  for (long I = 0; I < N; ++I)
    P[I] = double(I);
  return P[N / 2];
}
__attribute__((noinline)) static double risky(long N, int Depth) {
  double Row[N];
  double S = fill(Row, N);
  if (!Depth)
    throw std::runtime_error("deep");
  return S + risky(N, Depth - 1) + Row[1];
}
int main(int Argc, char **) {
  long N = 20000 * Argc;
  double S = 0;
  for (int Round = 0; Round < 100; ++Round) {
    double Row[N];
    S += fill(Row, N);
  }
  for (int Round = 0; Round < 3; ++Round)
    try {
      S += risky(N, 2);
    } catch (const std::runtime_error &) {
      S += 1;
    }
  double *Taken = static_cast<double *>(alloca(N * sizeof(double)));
  S += fill(Taken, N);
#pragma omp parallel for reduction(+ : S)
  for (int T = 0; T < 4; ++T) {
    double Own[10000];
    S += fill(Own, 10000);
  }
  std::printf("%g\n", S);
  return 0;
}
// The reduction adds up in a small variable.
// ERR: accesses recorded, {{[0-9]}} outside known objects
// CHECK: 1. site 1#0 bytes 160000 reads 1 writes 20000
// CHECK: 10. site 2#0 bytes 160000 reads 1 writes 20000
// CHECK-NEXT: 11. site 3#0 bytes 80000 reads 1 writes 10000
// CHECK: 14. site 3#0 bytes 80000 reads 1 writes 10000
// CHECK: 114. site 4#99 bytes 160000 reads 1 writes 20000
// CHECK-NOT: {{.}}
