// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A walk around a few elements is no stream over the object: masks, remainders,
// casts. A walk around the whole object is one, once or again and again.
#include <stdint.h>
#include <stdlib.h>
#define APART __attribute__((noinline)) static
APART double ring(double *r, const double *a, long n, long k) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    s += r[i % k];
    r[i % k] = a[i];
  }
  return s;
}
APART double window(double *w, const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    w[i & 3] = a[i];
    s += w[(i + 1) & 3];
  }
  return s;
}
APART double table(const double *t, const unsigned char *b, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += t[(uint8_t)i] * b[i];
  return s;
}
APART double rows(const double *g, const double *a, long n, long m) {
  double s = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s += g[8 * i + (j & 7)] * a[j];
  return s;
}
APART double shifted(const double *p, const double *a, long n, long by) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += p[(i + by) % n] * a[i];
  return s;
}
APART double large(const double *l, const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += l[i & 65535] * a[i];
  return s;
}
APART double again(const double *q, long n) {
  double s = 0;
  for (long i = 0; i < 40 * n; i++)
    s += q[i % n];
  return s;
}
APART double jumps(const double *j, long n) {
  double s = 0;
  for (long i = 0; i < 40 * n; i++)
    s += j[i * 7919 % n];
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), k = atol(argv[2]);
  double *a = calloc(n, 8);
  double *r = calloc(k, 8);
  double *w = calloc(4, 8);
  double *t = calloc(256, 8);
  unsigned char *b = calloc(n, 1);
  double *g = calloc(8 * n, 8);
  double *p = calloc(n, 8);
  double *l = calloc(65536, 8);
  double *q = calloc(n, 8);
  double *j = calloc(n, 8);
  double s = ring(r, a, n, k) + window(w, a, n) + table(t, b, n);
  s += again(q, n) + jumps(j, n);
  return s + rows(g, a, n, k) + shifted(p, a, n, k) + large(l, a, n) > 1;
}

// CHECK-LABEL: {{^}}region serial rings.c:60:0 in main{{$}}
// CHECK-NEXT: {{^}}  rings.c:10:10 calloc@rings.c:63:15 invariant element 8 reads ring:n writes ring:n exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:11:16 calloc@rings.c:62:15 stream(8) element 8 reads large:n + ring:n + rows:m*rows:n + shifted:n + window:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:18:14 calloc@rings.c:64:15 invariant element 8 reads window:n writes window:n exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:26:10 calloc@rings.c:65:15 invariant element 8 reads table:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:26:26 calloc@rings.c:66:22 stream(1) element 1 reads table:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:33:12 calloc@rings.c:67:15 strided(64) element 8 reads rows:m*rows:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:39:10 calloc@rings.c:68:15 stream(8) element 8 reads shifted:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:45:10 calloc@rings.c:69:15 stream(8) element 8 reads large:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:51:10 calloc@rings.c:70:15 stream(8) element 8 reads 40*again:n writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  rings.c:57:10 calloc@rings.c:71:15 random element 8 reads 40*jumps:n writes 0 exact why computed-index{{$}}
// INPUTS 24 5 | 38 11
