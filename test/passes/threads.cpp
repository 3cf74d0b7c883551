// Functions that libraries call: bodies of threads, comparisons of sorting.
// Code before main is in no region, and is counted.
// RUN: %bitcodexx %s -o %t.bc && %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>
static double *early(long N) {
  double *P = new double[N];
  for (long I = 0; I < N; ++I)
    P[I] = rand();
  return P;
}
static double *Early = early(100000);
static int compare(const void *A, const void *B) {
  double X = *static_cast<const double *>(A);
  double Y = *static_cast<const double *>(B);
  return X < Y ? -1 : X > Y;
}
struct Job {
  double *P;
  long N;
  double S;
};
static void *body(void *Q) {
  Job *J = static_cast<Job *>(Q);
  for (long I = 0; I < J->N; ++I)
    J->S += J->P[I];
  return nullptr;
}
int main(int, char **argv) {
  long N = atol(argv[1]);
  double *A = new double[N], *B = new double[N], *C = new double[N], S = 0;
  for (long I = 0; I < N; ++I)
    A[I] = B[I] = C[I] = double(I % 7);
  qsort(A, N, sizeof(double), compare);
  Job J = {B, N, 0};
  pthread_t T;
  pthread_create(&T, nullptr, body, &J);
  pthread_join(T, nullptr);
  std::thread Other([&] {
    for (long I = 0; I < N; ++I)
      S += C[I];
  });
  Other.join();
  printf("%g %g %g %g\n", A[0], J.S, S, Early[5]);
  return 0;
}
// CHECK: region serial
// CHECK-DAG: new[]@threads.cpp:33:15 stream(8) element 8 reads 2*compare:calls.15 writes 0 exact why library-sort
// CHECK-DAG: new[]@threads.cpp:33:35 stream(8) element 8 reads body:{{.*}} callback
// CHECK-DAG: new[]@threads.cpp:33:55 stream(8) element 8 reads {{.*}}_M_run{{.*}} callback
// CHECK: giveup outside-regions {{[1-9]}}
