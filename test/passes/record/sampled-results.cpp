// Sampled programs give the same results as plain ones: exceptions, setjmp,
// atomics, threads, structures copied, accesses that cross lines.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record \
// RUN:   EVENKEEL_RECORD_MODE=sampled %clangxx -O2 -g -fopenmp \
// RUN:   -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record \
// RUN:   -Wl,-rpath,%eklib
// RUN: %clangxx -O2 -fopenmp %s -o %t.plain
// RUN: rm -f %t.raw*
// RUN: env OMP_NUM_THREADS=3 EVENKEEL_RAW=%t.raw %t.rec >%t.out 2>%t.err
// RUN: env OMP_NUM_THREADS=3 %t.plain | diff - %t.out
// RUN: FileCheck %s --input-file=%t.err
// CHECK: sampled: about
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#pragma pack(push, 1)
struct Packed {
  char Tag;
  double Value;
  int Index;
};
#pragma pack(pop)

struct Large {
  long Words[40];
};

static std::jmp_buf Back;

[[gnu::noinline]] static long thrown(std::vector<long> &V, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I) {
    Sum += V[static_cast<size_t>(I * 37 % N)]++;
    if (Sum % 1001 == 1000)
      throw std::runtime_error(std::to_string(Sum));
  }
  return Sum;
}

[[gnu::noinline]] static long jumped(long *P, long N, int Round) {
  volatile long Seen = 0;
  if (setjmp(Back))
    return Seen;
  for (long I = 0; I < N; ++I) {
    Seen = Seen + P[I];
    if (I == N / (Round + 2))
      std::longjmp(Back, 1);
  }
  return -1;
}

int main() {
  const long N = 200000;
  std::vector<long> V(N, 1);
  long Sum = 0;
  for (int Round = 0; Round < 5; ++Round) {
    try {
      Sum += thrown(V, N);
    } catch (const std::runtime_error &E) {
      Sum += std::strtol(E.what(), nullptr, 10);
    }
    Sum += jumped(V.data(), N, Round);
  }
  std::vector<std::atomic<long>> Atoms(N);
#pragma omp parallel for schedule(dynamic, 100)
  for (long I = 0; I < 4 * N; ++I)
    Atoms[static_cast<size_t>(I * 7919 % N)] += I;
  for (long I = 0; I < N; ++I)
    Sum += Atoms[static_cast<size_t>(I)] % 1000;
  std::vector<Packed> P(N);
  for (long I = 0; I < N; ++I)
    P[static_cast<size_t>(I)] = {'a', double(I), int(N - I)};
  double Values = 0;
  for (long I = N - 1; I >= 0; I -= 3)
    Values += P[static_cast<size_t>(P[static_cast<size_t>(I)].Index - 1)].Value;
  std::vector<Large> A(1000), B(1000);
  for (size_t I = 0; I < A.size(); ++I)
    A[I].Words[I % 40] = long(I);
  for (size_t I = 0; I < A.size(); ++I)
    B[I] = A[I * 7 % 1000];
  std::memmove(&B[1], &B[0], 998 * sizeof(Large));
  for (const Large &L : B)
    for (long W : L.Words)
      Sum += W;
  std::printf("%ld %.17g\n", Sum, Values);
}
