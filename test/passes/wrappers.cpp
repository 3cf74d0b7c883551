// Wrappers kept out of line are contexts as well: templates, chains, a block
// after a header, one returned through a parameter, calls in regions, tasks.
// RUN: %bitcodexx %s -o %t.bc && %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
#include <cstdio>
#include <cstdlib>
#define APART __attribute__((noinline))
APART void *grab(size_t N, const char *Who) {
  static long Total;
  void *P = malloc(N);
  if (!P) {
    fprintf(stderr, "%s\n", Who);
    exit(1);
  }
  Total += N;
  return P;
}
template <class T> APART T *array(long N, const char *Who) {
  return static_cast<T *>(grab(N * sizeof(T), Who));
}
APART void *headed(size_t N) {
  long *P = static_cast<long *>(malloc(N + 16));
  P[0] = long(N);
  return P + 2;
}
APART void *aligned(size_t N) {
  void *P = nullptr;
  if (posix_memalign(&P, 64, N))
    return nullptr;
  return P;
}
static double sum(const double *A, const double *B, long N) {
  double S = 0;
#pragma omp parallel for reduction(+ : S)
  for (long I = 0; I < N; ++I)
    S += A[I] + B[2 * I];
  return S;
}
void inTasks(double **To, long N) {
#pragma omp parallel for
  for (long I = 0; I < 4; ++I)
    To[I] = static_cast<double *>(headed(24 * N));
#pragma omp task
  To[4] = static_cast<double *>(headed(32 * N));
}
int main(int argc, char **argv) {
  long N = atol(argv[1]);
  double *A = array<double>(N, "a"), *B = array<double>(2 * N, "b");
  double *C = static_cast<double *>(headed(8 * N));
  double *D = static_cast<double *>(headed(16 * N));
  double *E = static_cast<double *>(aligned(8 * N));
  double *F = static_cast<double *>(aligned(16 * N));
  double *Made[5];
  inTasks(Made, N);
  printf("%g\n", sum(A, B, N) + sum(C, D, N) + sum(E, F, N) + Made[4][0]);
  return argc;
}
// CHECK: region parallel wrappers.cpp:33:1 in sum
// CHECK-NEXT: wrappers.cpp:35:10 malloc@wrappers.cpp:21:33,malloc@wrappers.cpp:9:13,posix_memalign@wrappers.cpp:27:7 from wrappers.cpp:18:27<wrappers.cpp:47:15 or wrappers.cpp:50:37 or wrappers.cpp:48:37 stream(8) element 8 reads share(sum:N) writes 0 exact
// CHECK-NEXT: wrappers.cpp:35:17 malloc@wrappers.cpp:21:33,malloc@wrappers.cpp:9:13,posix_memalign@wrappers.cpp:27:7 from wrappers.cpp:18:27<wrappers.cpp:47:43 or wrappers.cpp:51:37 or wrappers.cpp:49:37 strided(16) element 8 reads share(sum:N) writes 0 exact
// CHECK-DAG: site malloc wrappers.cpp:21:33 size 24*inTasks:N + 16 or 32*inTasks:N + 16 or 8*main:N + 16 or 16*main:N + 16 live
// CHECK-DAG: context malloc wrappers.cpp:21:33 from wrappers.cpp:48:37 size 8*main:N + 16
// CHECK-DAG: context malloc wrappers.cpp:21:33 from wrappers.cpp:49:37 size 16*main:N + 16
// CHECK-DAG: context malloc wrappers.cpp:21:33 from wrappers.cpp:41:35 size 24*inTasks:N + 16
// CHECK-DAG: context malloc wrappers.cpp:21:33 from wrappers.cpp:43:33 size 32*inTasks:N + 16
// CHECK-DAG: site posix_memalign wrappers.cpp:27:7 size 8*main:N or 16*main:N live
// CHECK-DAG: context posix_memalign wrappers.cpp:27:7 from wrappers.cpp:50:37 size 8*main:N
// CHECK-DAG: context posix_memalign wrappers.cpp:27:7 from wrappers.cpp:51:37 size 16*main:N
// CHECK-DAG: site malloc wrappers.cpp:9:13 size 8*main:N or 16*main:N live
// CHECK-DAG: context malloc wrappers.cpp:9:13 from wrappers.cpp:18:27<wrappers.cpp:47:43 size 16*main:N
// CHECK-DAG: context malloc wrappers.cpp:9:13 from wrappers.cpp:18:27<wrappers.cpp:47:15 size 8*main:N
// INPUTS 24 | 38
