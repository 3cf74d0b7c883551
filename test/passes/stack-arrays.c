// No heap at all: arrays of variable length, alloca, large locals, statics in
// functions, thread-local and tentative arrays.
// RUN: %bitcode %s -o %t.bc && %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
static __thread double per_thread[20000];
static double threadprivate[20000];
#pragma omp threadprivate(threadprivate)
double block[3][20000];
double tentative[30000];

static double work(long n, const double *in) {
  double row[n], fixed[50000], small[10];
  double *taken = alloca(n * sizeof *taken);
  static int counts[20000];
  double s = 0;
  for (long i = 0; i < n; i++) {
    row[i] = in[i];
    taken[i] = 2 * in[i];
    counts[i % 20000] += 1;
    per_thread[i] = i;
    threadprivate[i] = i;
  }
  for (long i = 0; i < 50000; i++)
    fixed[i] = in[i % n];
  for (long i = 0; i < 10; i++)
    small[i] = in[i];
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += row[i] + taken[n - i] + fixed[2 * i % 50000] + small[i % 10] +
         per_thread[i] + threadprivate[i] + block[1][i] + tentative[i];
  return s + counts[5];
}

int main(int argc, char **argv) {
  long n = atol(argv[argc - 1]);
  double *in = malloc(n * sizeof *in);
  for (long i = 0; i < n; i++)
    in[i] = block[0][i] = tentative[i] = i;
  double s = 0, scratch[10000];
  {
    double square[n][n + 1];
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        square[i][j] = in[i] * in[j];
#pragma omp parallel private(scratch)
    {
      double own[n];
      for (long i = 0; i < n; i++)
        scratch[i % 10000] = own[i] = square[i][i];
#pragma omp critical
      s += own[n / 2] + scratch[n / 3];
    }
  }
  printf("%g\n", work(n, in) + s);
  return 0;
}
// CHECK: region parallel stack-arrays.c:29:1 in work
// CHECK-NEXT: stack-arrays.c:31:10 stack@stack-arrays.c:14:0 stream(8) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:31:19 alloca@stack-arrays.c:15:19 stream(-8) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:31:34 stack@stack-arrays.c:14:0 strided(16) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:32:10 static@stack-arrays.c:7:0 stream(8) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:32:26 static@stack-arrays.c:8:0 stream(8) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:32:45 global@stack-arrays.c:10:0 stream(8) element 8 reads share(work:n) writes 0 exact
// CHECK-NEXT: stack-arrays.c:32:59 global@stack-arrays.c:11:0 stream(8) element 8 reads share(work:n) writes 0 exact
// CHECK: region parallel stack-arrays.c:47:1 in main
// CHECK-NEXT: stack-arrays.c:51:37 stack@stack-arrays.c:49:0 stream(8) element 8 reads 0 writes main:n exact
// CHECK-NEXT: stack-arrays.c:51:39 stack@stack-arrays.c:43:0 strided(8*main:vla + 8) element 8 reads main:n writes 0 exact
// CHECK-NEXT: stack-arrays.c:53:12 stack@stack-arrays.c:49:0 invariant element 8 reads 1 writes 0 exact
// CHECK-NEXT: site global stack-arrays.c:10:0 size 480000 live
// CHECK-NEXT: site global stack-arrays.c:11:0 size 240000 live
// CHECK-NEXT: site stack stack-arrays.c:14:0 size 400000 live
// CHECK-NEXT: site stack stack-arrays.c:14:0 size 8*work:n live
// CHECK-NEXT: site alloca stack-arrays.c:15:19 size 8*work:n live
// CHECK-NEXT: site static stack-arrays.c:16:0 size 80000 live
// CHECK-NEXT: site malloc stack-arrays.c:38:16 size 8*main:n live
// CHECK-NEXT: site stack stack-arrays.c:41:0 size ? elided
// CHECK-NEXT: site stack stack-arrays.c:43:0 size 8*(main:n + 1)*main:n live
// CHECK-NEXT: site stack stack-arrays.c:49:0 size 8*main:n live
// CHECK-NEXT: site static stack-arrays.c:7:0 size 160000 live
// CHECK-NEXT: site static stack-arrays.c:8:0 size 160000 live
// CHECK: giveup private-copy 1
