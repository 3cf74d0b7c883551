/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "wrap.h"
char *look(size_t n);
char *use(void) { return row(70000); }
char *other(void) { return look(7); }
char *people(void) { return named(70000); }
