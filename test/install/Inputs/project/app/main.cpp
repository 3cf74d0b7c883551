//===- main.cpp - what the build-system tests build -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "grid.h"
#include <cstdio>

int main() {
  const size_t N = 100000;
  double *Line = grid_line(N);
  double *Ones = new double[N];
  double *Copy = grid_new(N);
  for (size_t I = 0; I < N; ++I) {
    Ones[I] = 1;
    Copy[I] = Line[I];
  }
  std::printf("%.0f %.0f\n", grid_sum(Ones, N), grid_sum(Copy, N));
  free(Line);
  free(Copy);
  delete[] Ones;
}
