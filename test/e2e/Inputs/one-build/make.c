//===- make.c - allocates for others ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "work.h"
#include <stdlib.h>

double *make(long n) { return calloc(n, sizeof(double)); }
