// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Counters and indices of 8 and 16 bits wrap around: the end of a loop is what
// such a word holds, and a loop that tests at its end may wrap around once.
#include <stdint.h>
#include <stdlib.h>
#define APART __attribute__((noinline)) static
APART long cut(const long *a, long n) {
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int t = 0; t < 4; t++)
    for (uint16_t i = 0; i != (uint16_t)n; i++)
      s += a[i];
  return s;
}
APART long below(const long *a, long n) {
  long s = 0;
  for (uint8_t i = 0; i < (uint8_t)n; i++)
    s += a[i];
  return s;
}
APART long down(const long *a, long n) {
  long s = 0;
  for (int8_t i = 0; i != (int8_t)n; i--)
    s += a[i + 128];
  return s;
}
APART long once(const long *a, long n) {
  long s = 0;
  uint8_t i = 0;
  do
    s += a[i++];
  while (i != (uint8_t)n);
  return s;
}
// Wide ones do not wrap: sizes fit.
APART long wide(const long *a, long n) {
  long s = 0;
  for (unsigned i = 0; i < (unsigned)n; i++)
    s += a[i];
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  long *a = calloc(70000, 8);
  long *b = calloc(256, 8);
  long *c = calloc(256, 8);
  long *d = calloc(256, 8);
  long *e = calloc(n, 8);
  return cut(a, n) + below(b, n) + down(c, n) + once(d, n) + wide(e, n) > 1;
}

// CHECK-LABEL: {{^}}region serial narrow-counters.c:42:0 in main{{$}}
// CHECK-NEXT: {{^}}  narrow-counters.c:18:10 calloc@narrow-counters.c:45:13 stream(8) element 8 reads below:n - 256*floordiv(below:n, 256) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  narrow-counters.c:24:10 calloc@narrow-counters.c:46:13 invariant element 8 reads down:trip.23 writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  narrow-counters.c:31:10 calloc@narrow-counters.c:47:13 stream(8) element 8 reads once:n - 256*floordiv(once:n - 1, 256) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  narrow-counters.c:39:10 calloc@narrow-counters.c:48:13 stream(8) element 8 reads wide:n writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel narrow-counters.c:9:1 in cut{{$}}
// CHECK-NEXT: {{^}}  narrow-counters.c:12:12 calloc@narrow-counters.c:44:13 stream(8) element 8 reads (cut:n - 65536*floordiv(cut:n, 65536))*share(4) writes 0 exact{{$}}
// INPUTS 24 | 38
