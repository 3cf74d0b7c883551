// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrap.h"
char *one(size_t n) { return pool::get(n); }
char *same(char *p) { return pool::get(p); }
void *plain(size_t n) { return xmalloc(n); }
