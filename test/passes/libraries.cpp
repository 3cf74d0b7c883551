// What the table of libraries states about calls: whose memory they touch, how
// much of it, what they return; an unknown function is named.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.cpp && cd %t
// RUN: %clangxx -O2 -g -fpass-plugin=%ekpass -c main.cpp -o main.o
// RUN: %evenkeel analyze main.o -o facts.json && %evenkeel analyze main.o --print --verify | FileCheck %s
// RUN: echo 'mystery w1=#2:4 >1' > table && %evenkeel analyze main.o --library table --print | FileCheck %s --check-prefix=TOLD
// RUN: echo 'mystery w1=%%2' > wrong && not %evenkeel analyze main.o --library wrong --print 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %evenkeel analyze main.o --library nowhere --print 2>&1 | FileCheck %s --check-prefix=NOWHERE
// WRONG: library functions: 'wrong': line 1: no effect: 'w1=
// NOWHERE: no file 'nowhere' of library functions
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {
void dgemm_(const char *, const char *, const int *, const int *, const int *,
            const double *, const double *, const int *, const double *,
            const int *, const double *, double *, const int *);
int dnnl_sgemm(char, char, long, long, long, float, const float *, long,
               const float *, long, float, float *, long);
double cblas_ddot(int, const double *, int, const double *, int);
int MPI_Send(const void *, int, int, int, int, int);
int *mystery(int *, long);
double opaque(double);
}

static int compare(const void *A, const void *B) {
  return *(const int *)A - *(const int *)B;
}

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  std::string Text(argv[2]);
  Text.resize(n);
  long Sum = 0;
  for (char C : Text) // the string's heap block, if it is not in the object
    Sum += C;
  // CHECK: main.cpp:{{[0-9:]+}} or main.cpp:{{[0-9:]+}} stream {{.*}}1 B this->_M_string_length 0 may-be-elsewhere
  double *a = (double *)malloc(n * n * 8), *b = (double *)calloc(n * n, 8),
         *c = (double *)malloc(n * n * 8);
  int m = n;
  double one = 1;
  dgemm_("N", "N", &m, &m, &m, &one, a, &m, b, &m, &one, c, &m);
  // CHECK-DAG: main.cpp:[[@LINE-5]]:25 stream 8 B n*n*n 0 library-estimate by dgemm_
  // CHECK-DAG: main.cpp:[[@LINE-5]]:25 stream 8 B n*n n*n library-estimate by dgemm_
  float *f = (float *)malloc(n * n * 4), *g = (float *)calloc(n * n, 4);
  dnnl_sgemm('N', 'T', n, n, n, 1, f, n, f, n, 0, g, n);
  // CHECK-DAG: main.cpp:[[@LINE-2]]:23 stream 4 B 2*n*n*n 0 library-estimate by dnnl_sgemm
  // CHECK-DAG: main.cpp:[[@LINE-3]]:56 stream 4 B n*n n*n library-estimate by dnnl_sgemm
  one += cblas_ddot(n, a, 1, b, 1);
  // CHECK-DAG: main.cpp:[[@LINE-12]]:25 stream 8 B n 0 exact by cblas_ddot
  MPI_Send(c, n, 0x4c00080b, 0, 0, 0);
  // CHECK-DAG: main.cpp:[[@LINE-13]]:25 stream 64 B ceildiv(8*n, 64) 0 exact by MPI_Send
  int *k = mystery((int *)malloc(4 * n), n);
  qsort(k, n, sizeof(int), compare);
  // CHECK-DAG: main.cpp:[[@LINE-2]]:27 stream 64 B ceildiv(4*n, 64) ceildiv(4*n, 64) library-estimate, may-be-elsewhere by qsort
  // TOLD: main.cpp:[[@LINE-3]]:27 stream 4 B 0 n exact by mystery
  for (long i = 0; i < n; ++i) // the block, or what mystery made
    Sum += k[i];
  // CHECK-DAG: main.cpp:[[@LINE-6]]:27 stream 4 B n 0 may-be-elsewhere
  printf("%ld %g %g\n", Sum, one, opaque(c[n]));
  fwrite(c, 8, n, stdout);
  return 0;
}
// CHECK: of {{[0-9]+}} loads and stores {{[0-9]+}} above, {{[0-9]+}} of them of no known object; private: 1 small-static, {{[0-9]+}} stack
// CHECK: given up
// CHECK-DAG: unknown-function:mystery {{ *}}1
// CHECK-DAG: unknown-function:opaque {{ *}}1
// CHECK: verified:
// TOLD: given up
// TOLD-NOT: unknown-function:mystery
// TOLD: unknown-function:opaque
