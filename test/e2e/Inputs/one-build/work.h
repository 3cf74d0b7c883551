//===- work.h - a library with an object that no compiler made -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
double *make(long n);
void scale(double *a, const double *b, long n);
int extra(void);
