// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Gather, scatter, histogram.
#include <stdlib.h>
void gather(double *a, const double *b, const int *idx, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[idx[i]];
}
void histogram(int *h, const unsigned char *key, long n) {
  for (long i = 0; i < n; i++)
    h[key[i]]++;
}
void atomics(long *h, const int *key, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
#pragma omp atomic
    h[key[i]]++;
  }
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * 8);
  double *b = malloc(n * 8);
  int *idx = malloc(n * 4);
  int *h = malloc(1024);
  unsigned char *key = malloc(n);
  long *count = malloc(n * 8);
  gather(a, b, idx, n);
  histogram(h, key, n);
  atomics(count, idx, n);
  return a[0] > h[1] + count[0];
}

// CHECK-LABEL: {{^}}region parallel gather.c:14:1 in atomics{{$}}
// CHECK: {{^}}  gather.c:17:5 malloc@gather.c:27:17 random element 8 reads share(atomics:n) writes share(atomics:n) exact{{$}}
// CHECK: {{^}}  gather.c:17:7 malloc@gather.c:24:14 stream(4) element 4 reads share(atomics:n) writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region serial gather.c:20:0 in main{{$}}
// CHECK: {{^}}  gather.c:11:14 malloc@gather.c:25:12 random element 4 reads main:n writes main:n exact{{$}}
// CHECK: {{^}}  gather.c:11:7 malloc@gather.c:26:24 stream(1) element 1 reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  gather.c:31:10 malloc@gather.c:22:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}  gather.c:31:17 malloc@gather.c:25:12 invariant element 4 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}  gather.c:31:24 malloc@gather.c:27:17 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel gather.c:5:1 in gather{{$}}
// CHECK: {{^}}  gather.c:7:10 malloc@gather.c:22:15 stream(8) element 8 reads 0 writes share(gather:n) exact{{$}}
// CHECK: {{^}}  gather.c:7:12 malloc@gather.c:23:15 random element 8 reads share(gather:n) writes 0 exact{{$}}
// CHECK: {{^}}  gather.c:7:14 malloc@gather.c:24:14 stream(4) element 4 reads share(gather:n) writes 0 exact{{$}}
// CHECK: {{^}}site malloc gather.c:22:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc gather.c:23:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc gather.c:24:14 size 4*main:n live{{$}}
// CHECK: {{^}}site malloc gather.c:25:12 size 1024 live{{$}}
// CHECK: {{^}}site malloc gather.c:26:24 size main:n live{{$}}
// CHECK: {{^}}site malloc gather.c:27:17 size 8*main:n live{{$}}
// CHECK: {{^}}symbol atomics:n given program gather.c:13:0 = main:n{{$}}
// CHECK: {{^}}symbol main:n given program gather.c:20:0 from 0{{$}}
// CHECK: {{^}}symbol gather:n given program gather.c:4:0 = main:n{{$}}
// INPUTS 24 | 38
