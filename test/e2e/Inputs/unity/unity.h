// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
double *part(long n);
double *made(long n);
