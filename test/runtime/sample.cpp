//===- sample.cpp - a small annotated OpenMP program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// outputs_test runs this in different environments: five parallel regions with
// a team hook each, timed per thread, an object per thread and one that is
// freed in between. Prints the number of iterations with a wrong sum.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"

#include <cstdio>
#include <vector>

static double Table[50000];

int main() {
  constexpr int Threads = 4;
  constexpr size_t N = 40000;
  ek_global(0x500, Table, sizeof Table);
  double *Parts[Threads] = {};
  int Wrong = 0;
  auto *Whole = static_cast<double *>(ek_malloc(0x100, N * sizeof(double)));
  for (int Round = 0; Round < 5; ++Round) {
#pragma omp parallel for num_threads(Threads) schedule(static, 1)
    for (int T = 0; T < Threads; ++T)
      if (!Parts[T])
        Parts[T] = static_cast<double *>(ek_malloc(0x200, N * sizeof(double)));
#pragma omp parallel num_threads(Threads)
    {
      ek_region_begin(0x300);
#pragma omp for schedule(static, 1)
      for (int T = 0; T < Threads; ++T)
        for (size_t I = 0; I < N; ++I)
          Parts[T][I] = static_cast<double>(I) + T;
      ek_sync(0x310, EK_TEAM);
      ek_region_end(0x300);
    }
    ek_sync(0x320, EK_SERIAL);
    double Sum = 0;
    for (size_t I = 0; I < N; ++I)
      Sum += (Whole ? Whole[I] = Parts[1][I] : Parts[1][I]) - Parts[0][I];
    Wrong += Sum != static_cast<double>(N);
    if (Round == 2) {
      ek_free(Whole);
      Whole = nullptr;
    }
  }
  for (double *P : Parts)
    ek_free(P);
  std::printf("wrong %d\n", Wrong);
  return Wrong;
}
