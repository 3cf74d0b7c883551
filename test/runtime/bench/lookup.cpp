//===- lookup.cpp - time of address -> object look-ups ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test: makes live records in the object map (default: a
// million, one granule each, no memory behind them) and looks random addresses
// up, uniform and Zipf (exponent 1, ranks scattered; inverse of the continuous
// distribution). "apart": look-ups that the processor may overlap; "chained":
// each waits for the one before, so this includes the memory's latency; "load":
// the same with one chained load of 32 bytes instead of a look-up, which no map
// of a million objects can beat. The median of slices of 20000, in processor
// time of the thread, so that other programs on the machine disturb little.
// Prints nanoseconds, and bytes of bookkeeping per object as the kernel counts
// them.
//
//   ek-bench-lookup [OBJECTS [LOOKUPS [GRANULES]]]    of each object
//===----------------------------------------------------------------------===//
extern "C" {
#include "objects/extent.h"
#include "objects/map.h"
#include "objects/object.h"
}

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/mman.h>
#include <vector>

namespace {

uint64_t State = 1;
uint64_t draw() { // splitmix64, Steele et al. 2014
  uint64_t Z = State += 0x9e3779b97f4a7c15ULL;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebULL;
  return Z ^ (Z >> 31);
}

size_t residentBytes() {
  size_t Total = 0, Resident = 0;
  if (FILE *F = fopen("/proc/self/statm", "r")) {
    if (fscanf(F, "%zu %zu", &Total, &Resident) != 2)
      Resident = 0;
    fclose(F);
  }
  return Resident * 4096;
}

double processorTime() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}

// The queries: a granule, and in the upper bits the expected result.
enum { SiteBits = 4 };

// Two functions, because a condition on Chained in one would be a dependence in
// both.
template <bool Chained> uint64_t lookUp(uint32_t Asked, uint64_t Carry) {
  ek_where W;
  uintptr_t At = ek_reserved.base + size_t(Asked >> SiteBits) * EK_GRANULE + 40;
  if (Chained)
    At += Carry & 1;
  if (!ek_object_find(reinterpret_cast<void *>(At), &W) ||
      W.site != (Asked & ((1 << SiteBits) - 1)))
    abort();
  return W.site;
}

template <class F> double median(const std::vector<uint32_t> &Order, F Do) {
  constexpr size_t Slice = 20000;
  std::vector<double> Each;
  uint64_t Carry = 0;
  for (size_t At = 0; At + Slice <= Order.size(); At += Slice) {
    const double Start = processorTime();
    for (size_t I = At; I < At + Slice; ++I)
      Carry = Do(Order[I], Carry);
    Each.push_back((processorTime() - Start) / Slice);
  }
  [[maybe_unused]] volatile uint64_t Used = Carry;
  std::nth_element(Each.begin(), Each.begin() + Each.size() / 2, Each.end());
  return Each[Each.size() / 2];
}

void time(const char *Name, const std::vector<uint32_t> &Order, size_t Count) {
  struct alignas(32) Line {
    uint64_t Word[4];
  };
  const size_t Huge = size_t(2) << 20,
               Bytes = (Count * sizeof(Line) + Huge - 1) & ~(Huge - 1);
  auto *Lines = static_cast<Line *>(std::aligned_alloc(Huge, Bytes));
  if (!Lines)
    std::exit(2);
  madvise(Lines, Bytes, MADV_HUGEPAGE);
  std::memset(Lines, 0, Bytes);
  const double Apart = median(Order, lookUp<false>),
               Chained = median(Order, lookUp<true>),
               Load = median(Order, [=](uint32_t Asked, uint64_t Carry) {
                 return Lines[Asked >> SiteBits].Word[Carry];
               });
  std::printf("%-8s apart %6.1f ns, chained %6.1f ns, load %6.1f ns\n", Name,
              Apart, Chained, Load);
  std::free(Lines);
}

} // namespace

int main(int Argc, char **Argv) {
  size_t Objects = Argc > 1 ? strtoull(Argv[1], nullptr, 10) : 1000000;
  size_t Lookups = Argc > 2 ? strtoull(Argv[2], nullptr, 10) : 5000000;
  const size_t Granules = Argc > 3 ? strtoull(Argv[3], nullptr, 10) : 1;
  bool Zero;
  ek_map_start();
  if (!Objects || Lookups < 20000 || !Granules ||
      Objects > (size_t(1) << (32 - SiteBits)) / Granules ||
      !ek_extents_reserve(size_t(1) << 40) ||
      !ek_extent_alloc(Objects * Granules * EK_GRANULE, 1, &Zero))
    return 2;
  size_t Before = residentBytes();
  for (size_t I = 0; I < Objects; ++I) {
    auto *P =
        reinterpret_cast<void *>(ek_reserved.base + I * Granules * EK_GRANULE);
    ek_object *O =
        ek_object_new(I % (1 << SiteBits), 0, P, Granules * EK_GRANULE);
    if (!O)
      return 2;
    ek_object_publish(O);
  }
  double Each = static_cast<double>(residentBytes() - Before) /
                static_cast<double>(Objects);
  std::printf("%zu objects, %.0f bytes each\n", Objects, Each);

  std::vector<uint32_t> Order(Lookups), Rank(Objects);
  const auto asked = [=](size_t Object) {
    return static_cast<uint32_t>((Object * Granules + draw() % Granules)
                                     << SiteBits |
                                 Object % (1 << SiteBits));
  };
  for (uint32_t &O : Order)
    O = asked(draw() % Objects);
  time("uniform", Order, Objects * Granules);
  for (size_t I = 0; I < Objects; ++I) { // Fisher and Yates 1938
    size_t J = draw() % (I + 1);
    Rank[I] = Rank[J];
    Rank[J] = static_cast<uint32_t>(I);
  }
  for (uint32_t &O : Order) {
    double U = static_cast<double>(draw() >> 11) * 0x1p-53;
    auto R = static_cast<size_t>(std::pow(static_cast<double>(Objects), U)) - 1;
    O = asked(Rank[R < Objects ? R : Objects - 1]);
  }
  time("zipf", Order, Objects * Granules);
  return 0;
}
