//===- scale.c - works on two arrays ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "work.h"

void scale(double *a, const double *b, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    a[i] += 2 * b[i];
}
