// The record ends at a barrier within a team: all of its threads continue in
// plain code at the next iteration of their loop.
// DEFINE: %{rec} = env EVENKEEL_ROOT=%S EVENKEEL_PASS=record
// DEFINE: %{lib} = -fpass-plugin=%ekpass -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: %clang -O2 -c %S/Inputs/side-bodies/where.c -o %t.where.o
// RUN: %clangxx -g -fopenmp -O2 %s %t.where.o -o %t.plain && env OMP_NUM_THREADS=4 %t.plain >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=PLAIN --input-file=%t.err
// RUN: rm -f %t.raw*
// RUN: for mode in sampled full counts; do for level in 0 2; do \
// RUN:   env EVENKEEL_RECORD_MODE=$mode %{rec} %clangxx -g -fopenmp -O$level %s %t.where.o %{lib} -o %t.rec || exit 1; \
// RUN:   for phases in 3 8 17; do \
// RUN:     env OMP_NUM_THREADS=4 EVENKEEL_RAW=%t.raw EVENKEEL_RECORD_UNTIL=${phases}p EVENKEEL_RECORD_KEEP=1 %t.rec 2>%t.err | diff %t.out - || exit 1; \
// RUN:     FileCheck %s --input-file=%t.err || exit 1; \
// RUN:   done; done; done
// PLAIN: moved: 0 threads
// CHECK: moved: 4 threads
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" void *calledFrom(void);

/// Its barriers are its callers'.
__attribute__((noinline)) static void step(std::vector<double> &V, double *Sum,
                                           long *Singles) {
  const long N = long(V.size());
#pragma omp for schedule(dynamic, 64) reduction(+ : Sum[:1])
  for (long I = 0; I < N; ++I)
    Sum[0] += V[size_t(I)];
#pragma omp single
  {
    ++*Singles;
    for (long I = 0; I < N; I += 100)
#pragma omp task shared(V) firstprivate(I)
      V[size_t(I)] += 1;
  }
#pragma omp for schedule(guided) nowait
  for (long I = 0; I < N; ++I)
    V[size_t(I)] = V[size_t(I)] * 0.5 + 1;
}

int main() {
  std::vector<double> V(20000, 1);
  double Sum = 0;
  long Singles = 0, Own = 0;
  int Moved = 0;
#pragma omp parallel shared(V, Sum, Singles) reduction(+ : Own, Moved)
  {
    double Mine[3] = {1, 2, 3};
    const void *First = nullptr;
    bool Other = false;
    for (int Round = 0; Round < 30; ++Round) {
      const void *Here = calledFrom();
      Other |= First && Here != First;
      First = First ? First : Here;
      step(V, &Sum, &Singles);
      Mine[Round % 3] += Round;
#pragma omp barrier
      Own += long(Mine[(Round + 1) % 3]);
#pragma omp for schedule(static, 7)
      for (long I = 0; I < 1000; ++I)
        V[size_t(I)] -= 0.25;
    }
    Moved += Other;
  }
  double All = 0;
  for (double X : V)
    All += X;
  std::printf("%.10g %.10g %ld %ld\n", Sum, All, Singles, Own);
  std::fprintf(stderr, "moved: %d threads\n", Moved);
}
