// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A block from a function that is no wrapper (it is too long and records the
// block, so it could return any): a copy to behind its begin has no base that
// the caller knows.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static void *notes[64];
static int noted;
#define NEXT(k) x = x * 31 + (x >> (k)), p[k] = x
#define TEN(k)                                                                 \
  NEXT(k), NEXT(k + 1), NEXT(k + 2), NEXT(k + 3), NEXT(k + 4), NEXT(k + 5),    \
      NEXT(k + 6), NEXT(k + 7), NEXT(k + 8), NEXT(k + 9)
__attribute__((noinline)) static char *noting(long n, uint64_t x) {
  uint64_t *p = malloc(n);
  notes[noted++ & 63] = p;
  TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50);
  return (char *)p;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  char *q = noting(n + 2 * m + 1000, n);
  memcpy(q + 3 + 2 * m, argv[0], n);
  char *r = noting(n + 2 * m + 1000, m);
  return q[n] + r[m];
}
// CHECK-LABEL: {{^}}region serial noted-blocks.c:20:0 in main{{$}}
// CHECK: {{^}}  noted-blocks.c:23:3 malloc@noted-blocks.c:15:17 stream(64) element 64 reads 0 writes min(ceildiv(2*main:m + main:n + 3, 64) - floordiv(2*main:m + 3, 64), main:n) exact{{$}}
// INPUTS 24 5 | 38 11
