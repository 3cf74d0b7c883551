// C++: containers, exceptions out of recorded code, every form of new and
// delete, a thread that OpenMP does not know, static constructors.
// RUN: %clangxx -O2 -g -fopenmp -pthread %s -o %t.plain
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record %clangxx -O2 -g -fopenmp -pthread -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw*
// RUN: env OMP_NUM_THREADS=4 %t.plain > %t.out.plain
// RUN: env OMP_NUM_THREADS=4 EVENKEEL_RAW=%t.raw1 %t.rec > %t.out.1 2> %t.err
// RUN: env OMP_NUM_THREADS=4 EVENKEEL_RAW=%t.raw2 taskset 1 %t.rec > %t.out.2
// RUN: cmp %t.out.plain %t.out.1
// RUN: cmp %t.out.plain %t.out.2
// RUN: cmp %t.raw1.* %t.raw2.*
// RUN: FileCheck %s < %t.err
// CHECK: evenkeel: record: foreign-thread:
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct alignas(128) Wide {
  double Lanes[16];
  Wide() {
    for (double &L : Lanes)
      L = 1;
  }
};

static std::vector<int> BeforeMain(100000, 7);

static double risky(const std::vector<double> &V, size_t I) {
  if (I >= V.size())
    throw std::out_of_range("index " + std::to_string(I));
  return V[I];
}

struct Counter {
  std::vector<double> V;
  explicit Counter(size_t N) : V(N, 0.5) {
    if (N > 1000000)
      throw std::runtime_error("too many");
  }
};

int main() {
  std::vector<double> Grown;
  for (int I = 0; I < 100000; ++I)
    Grown.push_back(I);
  std::list<int> Nodes;
  for (int I = 0; I < 5000; ++I)
    Nodes.push_front(I);
  long Sum = 0;
  for (int N : Nodes)
    Sum += N;
  int Caught = 0;
  try {
    risky(Grown, 1u << 20);
  } catch (const std::out_of_range &E) {
    Caught += std::string(E.what()) == "index 1048576";
  }
  try {
    delete new Counter(2000000);
  } catch (const std::runtime_error &) {
    ++Caught;
  }
  try {
    volatile size_t Huge = ~size_t(0) / 4;
    char *volatile Refused = new char[Huge]; // no optimiser drops it
    delete[] Refused;
  } catch (const std::bad_alloc &) {
    ++Caught;
  }
  Wide *W = new Wide[100], *One = new (std::nothrow) Wide;
  Sum += static_cast<long>(W[99].Lanes[15] + One->Lanes[3]);
  bool Aligned = reinterpret_cast<size_t>(W) % 128 == 0 &&
                 reinterpret_cast<size_t>(One) % 128 == 0;
  delete[] W;
  delete One;

  std::vector<std::vector<double>> Rows(64, std::vector<double>(2000, 1.5));
  double Total = 0;
#pragma omp parallel for schedule(guided) reduction(+ : Total)
  for (int R = 0; R < 64; ++R) {
    std::vector<double> Scratch(Rows[R]);
    for (double &X : Scratch)
      X *= 2;
    try {
      Total += Scratch[10] + risky(Scratch, R % 2 ? 5 : 100000);
    } catch (const std::out_of_range &) {
      Total += 1;
    }
  }
  std::atomic<long> Ticks{0};
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      Ticks += 1;
#pragma omp section
      Ticks += 2;
    }
#pragma omp taskloop num_tasks(8)
    for (int I = 0; I < 1000; ++I)
      Ticks.fetch_add(BeforeMain[I * 100]);
  }
  std::thread Foreign([&] {
    std::vector<int> Own(1000, 3);
    for (int X : Own)
      Sum += X;
  });
  Foreign.join();
  std::printf("%ld %d %d %g %ld\n", Sum, Caught, Aligned, Total, Ticks.load());
  return 0;
}
