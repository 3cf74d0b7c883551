// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Objects behind struct fields, swapped buffers, globals, copied structs, a
// function called from a region: each access has exactly its sites.
#include <stdlib.h>
#include <string.h>
struct pair {
  double *a, *b;
};
static double table[20000];
__attribute__((noinline)) static double sum(const double *p, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += p[i];
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  table[n] = n;
  struct pair x = {malloc(n * 8), malloc(n * 4)};
  struct pair y;
  memcpy(&y, &x, sizeof y);
  double total = 0;
#pragma omp parallel reduction(+ : total)
  total += sum(y.b, n);
  double *from = malloc(n * 2), *to = malloc(n * 3);
  for (int t = 0; t < argc; t++) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      to[i] = from[i] + table[i];
    double *swap = from;
    from = to;
    to = swap;
  }
  return total + x.a[0] + to[0] > 1;
}

// CHECK-LABEL: {{^}}region serial aliasing.c:16:0 in main{{$}}
// CHECK: {{^}}  aliasing.c:18:12 static@aliasing.c:9:0 invariant element 8 reads 0 writes 1 exact{{$}}
// CHECK: {{^}}  aliasing.c:34:18 malloc@aliasing.c:19:20 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}  aliasing.c:34:27 malloc@aliasing.c:25:18,malloc@aliasing.c:25:39 invariant element 8 reads min(1, max(0, main:argc)) writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel aliasing.c:23:1 in main{{$}}
// CHECK: {{^}}  aliasing.c:13:10 malloc@aliasing.c:19:35 stream(8) element 8 reads sum:n writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel aliasing.c:27:1 in main{{$}}
// CHECK: {{^}}  aliasing.c:29:15 malloc@aliasing.c:25:18,malloc@aliasing.c:25:39 stream(8) element 8 reads share(main:n) writes share(main:n) exact{{$}}
// CHECK: {{^}}  aliasing.c:29:25 static@aliasing.c:9:0 stream(8) element 8 reads share(main:n) writes 0 exact{{$}}
// CHECK: {{^}}site malloc aliasing.c:19:20 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc aliasing.c:19:35 size 4*main:n live{{$}}
// CHECK: {{^}}site malloc aliasing.c:25:18 size 2*main:n live{{$}}
// CHECK: {{^}}site malloc aliasing.c:25:39 size 3*main:n live{{$}}
// CHECK: {{^}}site static aliasing.c:9:0 size 160000 live{{$}}
// CHECK: {{^}}symbol sum:n derived task aliasing.c:10:0 scales with main:n from 0{{$}}
// CHECK: {{^}}symbol main:n given program aliasing.c:16:0{{$}}
// INPUTS 24 | 38
