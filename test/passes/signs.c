// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Numbers that may be negative. Most are sizes, and formulas are short where
// that is assumed; the facts state of which it was assumed. A number that only
// moves a bound may be any.
#include <stdlib.h>
__attribute__((noinline)) static void fill(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = 1;
}
__attribute__((noinline)) static void window(double *b, long low, long high) {
  for (long i = low; i < high; i++)
    b[i - low] = 1;
}
__attribute__((noinline)) static void pairs(double *c, int side, int apart) {
  for (int i = 0; i < side; i++)
    for (int j = i + apart; j < side; j++)
      c[j] += 1;
}
__attribute__((noinline)) static void rows(double *d, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    d[i] = 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), low = atol(argv[2]);
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  double *c = calloc(n, sizeof *c), *d = calloc(n, sizeof *d);
  fill(a, n);
  window(b, low, n + argc);
  pairs(c, n - argc, low);
  rows(d, n);
}
// CHECK: writes max(0, window:high - window:low) exact
// CHECK: writes sum(i < pairs:side: max(0, pairs:side - i - pairs:apart)) exact
// CHECK: writes rows:count exact
// CHECK: writes fill:n exact
// CHECK: {{^}}symbol window:high given program signs.c:10:0 = main:argc + main:n{{$}}
// CHECK: {{^}}symbol window:low given program signs.c:10:0 = main:low{{$}}
// CHECK: {{^}}symbol pairs:side given program signs.c:14:0 from 0 = main:n - main:argc{{$}}
// CHECK: {{^}}symbol pairs:apart given program signs.c:14:0 = main:low{{$}}
// CHECK: {{^}}symbol fill:n given program signs.c:6:0 from 0 = main:n{{$}}
// INPUTS 24 5 | 38 11
