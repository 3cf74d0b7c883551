/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "wrap.h"
#include <stdlib.h>
void *xmalloc(size_t n) { return malloc(n); }
static char *look(size_t n) { return malloc(n); }
void *shown(void) { return look(100000); }
