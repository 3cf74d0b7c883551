/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "alloc.h"
double *block(long n) {
  double *p;
  p = row(n);
  p[1] = 2;
  return p;
}
double *tall(long n) {
  double *p = column(n);
  p[3] = 4;
  return p;
}
