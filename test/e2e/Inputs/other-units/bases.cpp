// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kinds.h"
Left::Left(long n) : Base(n) {}
Right::Right(long n) : Base(n) {}
Both::Both(long n) : Base(n), Left(n), Right(n) {}
double *nested(long n) { return with_default(n); }
