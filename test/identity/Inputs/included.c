// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that is included in functions' bodies: one text, one identity.
#include <pthread.h>
#include <stdlib.h>
void first(double *a, long n, pthread_t t) {
#include "included.inc"
}
#define MINE 1
void third(double *a, long n, pthread_t t) {
  {
#include "included.inc"
  }
#include "nested.inc"
}
double *second(float *a, long n, pthread_t t) {
  double *q = malloc(n);
#include "included.inc"
  return q;
}
