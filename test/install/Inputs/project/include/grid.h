/*===- grid.h - what the build-system tests build -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef GRID_H
#define GRID_H
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates in a header that two units share. */
static inline double *grid_new(size_t n) {
  return (double *)malloc(n * sizeof(double));
}
double grid_sum(const double *g, size_t n);
double *grid_line(size_t n);

#ifdef __cplusplus
}
#endif
#endif
