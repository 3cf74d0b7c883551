// Calls of wrappers of many kinds. With a second argument, one more block comes
// first. The hot blocks are the second of each kind.
#include "other.h"
#include <cstdio>
#include <cstdlib>
#include <new>

static double *need(long N) {
  double *P = static_cast<double *>(malloc(N * sizeof *P));
  if (!P)
    exit(1);
  return P;
}
template <class T> T *array(long N) { return new T[N]; }
double *recursive(long N, int Depth) {
  if (Depth)
    return recursive(N, Depth - 1);
  return static_cast<double *>(calloc(N, sizeof(double)));
}
static double *inner(long N) { return static_cast<double *>(malloc(8 * N)); }
static double *outer(long N) { return inner(N); }
static double touch(double *P, double *Q, long N) {
#pragma omp parallel for
  for (long I = 0; I < N; ++I) {
    P[I] = 1;
    Q[I] = 2;
  }
  return P[N / 2] + Q[N / 2];
}

int main(int argc, char **argv) {
  long N = atol(argv[1]);
  if (argc > 2)
    touch(need(N), outer(N), N);
  need(N)[0] = 1; // nobody reads it
  double Sum = touch(need(N), need(N), N);
  double *A = array<double>(N);
  double *B = array<double>(N);
  long *C = array<long>(N);
  Sum += touch(A, B, N) + C[0];
  double *D = recursive(N, 3);
  double *E = recursive(N, 1);
  Sum += touch(D, E, N);
  double *F = outer(N);
  double *G = outer(N);
  double *H = inner(N);
  Sum += touch(F, G, N) + H[0];
  double *K = elsewhere(N);
  double *L = elsewhere(N);
  Sum += touch(K, L, N);
  double *M = nullptr;
  try {
    array<double>(1L << 59);
  } catch (const std::bad_alloc &) {
    M = need(N);
  }
  printf("%g\n", Sum + M[0]);
}
