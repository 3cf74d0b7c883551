// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// CSR: streams whose length only a run tells, and a gather.
#include <stdlib.h>
struct csr {
  long n;
  long *rp;
  int *col;
  double *val;
};
void spmv(const struct csr *A, const double *x, double *y) {
#pragma omp parallel for
  for (long i = 0; i < A->n; i++) {
    double s = 0;
    for (long k = A->rp[i]; k < A->rp[i + 1]; k++)
      s += A->val[k] * x[A->col[k]];
    y[i] = s;
  }
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  struct csr A = {n, malloc((n + 1) * 8), malloc(9 * n * 4), malloc(9 * n * 8)};
  double *x = malloc(n * 8);
  double *y = malloc(n * 8);
  spmv(&A, x, y);
  return y[0] > 1;
}

// CHECK-LABEL: {{^}}region parallel spmv.c:11:1 in spmv{{$}}
// CHECK: {{^}}  spmv.c:14:19 malloc@spmv.c:21:22 stream(8) element 8 reads share(spmv:A->n) + spmv:taken.14 writes 0 exact{{$}}
// CHECK: {{^}}  spmv.c:15:12 malloc@spmv.c:21:62 stream(8) element 8 reads spmv:trip.14 writes 0 exact{{$}}
// CHECK: {{^}}  spmv.c:15:24 malloc@spmv.c:22:15 random element 8 reads spmv:trip.14 writes 0 exact{{$}}
// CHECK: {{^}}  spmv.c:15:26 malloc@spmv.c:21:43 stream(4) element 4 reads spmv:trip.14 writes 0 exact{{$}}
// CHECK: {{^}}  spmv.c:16:10 malloc@spmv.c:23:15 stream(8) element 8 reads 0 writes share(spmv:A->n) exact{{$}}
// CHECK-LABEL: {{^}}region serial spmv.c:19:0 in main{{$}}
// CHECK: {{^}}  spmv.c:25:10 malloc@spmv.c:23:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK: {{^}}site malloc spmv.c:21:22 size 8*main:n + 8 live{{$}}
// CHECK: {{^}}site malloc spmv.c:21:43 size 36*main:n live{{$}}
// CHECK: {{^}}site malloc spmv.c:21:62 size 72*main:n live{{$}}
// CHECK: {{^}}site malloc spmv.c:22:15 size 8*main:n live{{$}}
// CHECK: {{^}}site malloc spmv.c:23:15 size 8*main:n live{{$}}
// CHECK: {{^}}symbol spmv:A->n given program spmv.c:10:0 = main:n{{$}}
// CHECK: {{^}}symbol spmv:trip.14 measured task spmv.c:14:5 scales with share(spmv:A->n){{$}}
// CHECK: {{^}}symbol main:n given program spmv.c:19:0{{$}}
// INPUTS 24 | 38
