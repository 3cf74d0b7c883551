// RUN: %bitcodexx -I%ekinclude %s -o %t.bc && %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s
// RUN: %access %t.bc | FileCheck --check-prefix=SIZE %s
// Annotated calls carry their id; it is read, not computed again. Lambdas on
// separate lines that begin alike are distinguished by an ordinal.
#include <cstdlib>
#include <evenkeel/ek.h>
#include <new>
using Make = void *(*)(size_t);
Make makers[] = {
    [](size_t n) { return malloc(n); },
    [](size_t n) { return malloc(n); },
};
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = (double *)ek_malloc(0x1234, n * 8);
  double *b = (double *)ek_calloc_at(0x1235, EK_FAST(37), n, 8);
  double *c = new (ek::site(0x1236, EK_FAST(37))) double[n];
  for (long i = 0; i < n; i++)
    c[i] = a[i] + b[i];
  struct alignas(128) Wide {
    char bytes[128];
  };
  Wide *d = new (ek::site(0x1237), std::nothrow) Wide[n];
  d->bytes[5] = 1;
  return c[n / 2] > 1 && makers[argc & 1](1);
}

// CHECK: site malloc annotated.cpp:10:27 in operator() id=[[FIRST:[0-9a-f]+]]
// CHECK-NOT: id=[[FIRST]]
// CHECK: site malloc annotated.cpp:11:27 in operator() id=
// CHECK: site malloc annotated.cpp:15:25 in main id=0000000000001234
// CHECK: site calloc annotated.cpp:16:25 in main id=0000000000001235
// CHECK: site new[] annotated.cpp:17:15 in main id=0000000000001236
// CHECK: site new[] annotated.cpp:23:13 in main id=0000000000001237

// SIZE: annotated.cpp:19:12 malloc@annotated.cpp:15:25 stream(8) element 8 reads main:n writes 0 exact
// SIZE: annotated.cpp:19:19 calloc@annotated.cpp:16:25 stream(8) element 8 reads main:n writes 0 exact
// SIZE: site malloc annotated.cpp:15:25 size 8*main:n live
// SIZE: site calloc annotated.cpp:16:25 size 8*main:n live
// SIZE: site new[] annotated.cpp:17:15 size 8*main:n live
