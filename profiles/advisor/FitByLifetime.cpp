//===- FitByLifetime.cpp - what else fits into DRAM, by lifetimes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the advisor's second step. With the live bytes of process 10 of
// application 1 over time, objects join the tier DRAM, by value, as long as the
// peak stays within the tier's share of one process. The number of the process
// is the original's.
//===----------------------------------------------------------------------===//
#include "Advisor.h"
#include "SortStably.h"
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

using namespace evenkeel;
using namespace evenkeel::advisor;
using ecohmem::Allocation;

static constexpr int64_t App = 1, Process = 10;

namespace {

/// Bytes at each of a row of points in time; adding to a range and the peak of
/// all take logarithmic time.
class Levels {
  size_t Width = 1;
  std::vector<double> Added, Peak;

  void add(size_t Node, size_t From, size_t To, size_t L, size_t R, double V) {
    if (To <= L || R <= From)
      return;
    if (From <= L && R <= To) {
      Added[Node] += V;
      Peak[Node] += V;
      return;
    }
    size_t Mid = (L + R) / 2;
    add(2 * Node, From, To, L, Mid, V);
    add(2 * Node + 1, From, To, Mid, R, V);
    Peak[Node] = std::max(Peak[2 * Node], Peak[2 * Node + 1]) + Added[Node];
  }

public:
  explicit Levels(size_t Points) {
    while (Width < Points)
      Width *= 2;
    Added.assign(2 * Width, 0);
    Peak.assign(2 * Width, 0);
    for (size_t I = Width + Points; I < 2 * Width; ++I)
      Peak[I] = -1e300; // no such point
    for (size_t I = Width; I-- > 1;)
      Peak[I] = std::max(Peak[2 * I], Peak[2 * I + 1]);
  }
  void add(size_t From, size_t To, double V) { add(1, From, To, 0, Width, V); }
  double peak() const { return Peak[1]; }
};

/// The allocations of one process with an end, by object.
struct Lives {
  std::map<int64_t, std::vector<Allocation>> OfObject;
  std::vector<int64_t> Times; // rising, each once

  explicit Lives(const ecohmem::AllocsInfo &Allocs) {
    for (const Allocation &A : Allocs.Allocations) {
      if (A.App != App || A.Process != Process || A.FreeTime <= A.AllocTime ||
          A.Object < 0)
        continue;
      OfObject[A.Object].push_back(A);
      Times.push_back(A.AllocTime);
      Times.push_back(A.FreeTime);
    }
    std::sort(Times.begin(), Times.end());
    Times.erase(std::unique(Times.begin(), Times.end()), Times.end());
  }
  void add(Levels &To, const std::vector<Allocation> &Of, double Sign) const {
    auto At = [&](int64_t T) {
      return size_t(std::lower_bound(Times.begin(), Times.end(), T) -
                    Times.begin());
    };
    for (const Allocation &A : Of)
      To.add(At(A.AllocTime), At(A.FreeTime), Sign * double(A.Bytes));
  }
};

} // namespace

static double processesOf(const ecohmem::AllocsInfo &Allocs) {
  std::unordered_set<int64_t> Seen;
  for (const Allocation &A : Allocs.Allocations)
    Seen.insert(A.Process);
  return double(Seen.size());
}

/// The objects that fit beside \p Chosen, by value.
static std::unordered_set<int64_t>
fitting(const Lives &L, const std::unordered_set<int64_t> &Chosen,
        const std::unordered_map<int64_t, double> &Value, double Limit) {
  std::unordered_set<int64_t> Fits;
  if (L.Times.empty())
    return Fits;
  Levels Live(L.Times.size());
  std::vector<std::pair<double, int64_t>> ByValue;
  for (const auto &[Id, Of] : L.OfObject) {
    if (Chosen.count(Id)) {
      L.add(Live, Of, 1);
      continue;
    }
    auto V = Value.find(Id);
    ByValue.emplace_back(V == Value.end() ? 0 : V->second, Id);
  }
  sortStably(ByValue,
             [](const auto &A, const auto &B) { return A.first > B.first; });
  for (const auto &[V, Id] : ByValue) {
    const std::vector<Allocation> &Of = L.OfObject.at(Id);
    L.add(Live, Of, 1);
    if (Live.peak() <= Limit)
      Fits.insert(Id);
    else
      L.add(Live, Of, -1);
  }
  return Fits;
}

MaybeError advisor::fitByLifetime(const ecohmem::AllocsInfo &Allocs,
                                  Distribution &D) {
  auto IdOf = [&](uint32_t I) {
    auto It = Allocs.Objects.find(D.Objects[I].Stack);
    return It == Allocs.Objects.end() ? -1 : It->second;
  };
  size_t Dram = 0;
  while (Dram < D.Tiers.size() && D.Tiers[Dram].Name != "DRAM")
    ++Dram;
  if (Dram == D.Tiers.size())
    return Error{"with --allocs-info, one of the tiers has to be named DRAM"};
  double Processes = processesOf(Allocs);
  if (Processes == 0)
    return Error{"--allocs-info lists no allocations"};

  std::unordered_set<int64_t> Chosen;
  for (uint32_t I : D.InTier[Dram])
    if (!Chosen.insert(IdOf(I)).second)
      return Error{IdOf(I) == -1
                       ? "two objects in DRAM are not in --allocs-info; are "
                         "the files of one run?"
                       : "two objects in DRAM have one call stack"};
  std::unordered_map<int64_t, double> Value;
  for (const auto &In : D.InTier)
    for (uint32_t I : In) {
      if (D.Objects[I].Value.empty())
        return Error{"--allocs-info needs two tiers or more"};
      Value[IdOf(I)] = D.Objects[I].Value[0];
    }
  const std::unordered_set<int64_t> Fits =
      fitting(Lives(Allocs), Chosen, Value, D.Tiers[Dram].Bytes / Processes);

  std::vector<uint32_t> Joining;
  for (auto &In : D.InTier) {
    std::vector<uint32_t> Stay;
    for (uint32_t I : In)
      (Fits.count(IdOf(I)) ? Joining : Stay).push_back(I);
    In = std::move(Stay);
  }
  auto &To = D.InTier[Dram];
  To.insert(To.end(), Joining.begin(), Joining.end());
  return std::nullopt;
}
