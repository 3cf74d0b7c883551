/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
double *field(long n);
double *plain(long n) { return field(n); }
