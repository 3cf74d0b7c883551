//===- lookup.cpp - time of address -> object look-ups ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test: makes live records in the object map (default: a
// million, one granule each, no memory behind them) and looks random addresses
// up, uniform and Zipf (exponent 1, ranks scattered; inverse of the continuous
// distribution). "apart": look-ups that the processor may overlap; "chained":
// each waits for the one before. Prints nanoseconds, and bytes of bookkeeping
// per object as the kernel counts them.
//
//   ek-bench-lookup [OBJECTS [LOOKUPS]]
//===----------------------------------------------------------------------===//
extern "C" {
#include "extent.h"
#include "object.h"
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

// Best of three rounds. Two functions, because a condition on Chained in one
// would be a dependence in both.
template <bool Chained> double best(const std::vector<uint32_t> &Order) {
  double Best = 1e9;
  for (int Round = 0; Round < 3; ++Round) {
    uint64_t Carry = 0;
    auto Start = std::chrono::steady_clock::now();
    for (uint32_t Object : Order) {
      ek_where W;
      uintptr_t At = ek_reserved.base + size_t(Object) * EK_GRANULE + 40;
      if (Chained)
        At += Carry & 1;
      if (!ek_object_find(reinterpret_cast<void *>(At), &W) ||
          W.site != (Object & 15))
        abort();
      Carry = W.site;
    }
    std::chrono::duration<double, std::nano> Took =
        std::chrono::steady_clock::now() - Start;
    Best = std::min(Best, Took.count() / static_cast<double>(Order.size()));
  }
  return Best;
}

void time(const char *Name, const std::vector<uint32_t> &Order) {
  std::printf("%-8s apart %6.1f ns, chained %6.1f ns\n", Name,
              best<false>(Order), best<true>(Order));
}

} // namespace

int main(int Argc, char **Argv) {
  size_t Objects = Argc > 1 ? strtoull(Argv[1], nullptr, 10) : 1000000;
  size_t Lookups = Argc > 2 ? strtoull(Argv[2], nullptr, 10) : 5000000;
  if (!ek_extents_reserve(size_t(1) << 40) || !ek_objects_start() || !Objects ||
      Objects > ek_reserved.bytes / EK_GRANULE)
    return 2;
  size_t Before = residentBytes();
  for (size_t I = 0; I < Objects; ++I) {
    auto *P = reinterpret_cast<void *>(ek_reserved.base + I * EK_GRANULE);
    ek_object *O = ek_object_new(I & 15, P, EK_GRANULE);
    if (!O)
      return 2;
    ek_object_publish(O);
  }
  double Each = static_cast<double>(residentBytes() - Before) /
                static_cast<double>(Objects);
  std::printf("%zu objects, %.0f bytes each\n", Objects, Each);

  std::vector<uint32_t> Order(Lookups), Rank(Objects);
  for (uint32_t &O : Order)
    O = static_cast<uint32_t>(draw() % Objects);
  time("uniform", Order);
  for (size_t I = 0; I < Objects; ++I) { // Fisher and Yates 1938
    size_t J = draw() % (I + 1);
    Rank[I] = Rank[J];
    Rank[J] = static_cast<uint32_t>(I);
  }
  for (uint32_t &O : Order) {
    double U = static_cast<double>(draw() >> 11) * 0x1p-53;
    auto R = static_cast<size_t>(std::pow(static_cast<double>(Objects), U)) - 1;
    O = Rank[R < Objects ? R : Objects - 1];
  }
  time("zipf", Order);
  return 0;
}
