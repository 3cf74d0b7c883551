// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Loops the optimiser turns into block operations are accesses all the same.
#include <stdlib.h>
#include <string.h>
void zero(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = 0;
}
void copy(double *restrict a, const double *restrict b, long n) {
  memcpy(a, b, n * sizeof *a);
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * 8);
  double *b = malloc(n * 8);
  zero(a, n);
  copy(b, a, n);
  return b[n / 2] > 1;
}

// CHECK-LABEL: {{^}}region serial idioms.c:12:0 in main{{$}}
// CHECK: {{^}}  idioms.c:10:3 malloc@idioms.c:15:15 stream(64) element 64 reads 0 writes ceildiv(8*main:n, 64) exact{{$}}
// CHECK: {{^}}  idioms.c:18:10 malloc@idioms.c:15:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}  idioms.c:7:10 malloc@idioms.c:14:15 stream(64) element 64 reads ceildiv(8*main:n, 64) writes ceildiv(8*main:n, 64) exact{{$}}
// CHECK: {{^}}site malloc idioms.c:14:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc idioms.c:15:15 size 8*main:n live{{$}}
// CHECK: {{^}}symbol main:n given program idioms.c:12:0 from 0{{$}}
// INPUTS 24 | 38
