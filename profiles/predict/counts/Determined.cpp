//===- Determined.cpp - whose counts follow from what is known ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of a task's accesses, those whose counts follow from values of the
// target; and what other tasks of its region do that it did not do on the base
// input, as often as data say.
// Makes: whether the task counts as determined.
// Leaves out: where it gathers (openUnsampled in Samples.h).
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include <algorithm>
#include <set>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

/// Share of a task's accesses whose counts must be known for the task to count
/// as determined; the rest, 1 in 100, cannot move its time by more than that.
static constexpr double MostTold = 0.99;

/// Whether a count follows from values that are known, and not from how others
/// grew.
static bool isTold(const Trace &How) { return !How.Scaled && !How.Derived; }

void Extrapolator::readUsual() {
  std::map<uint64_t, double> Tasks;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    Tasks[B.Tasks[T].region] += times(T);
    for (const BaseDemand &Q : Demands[T])
      if (Q.Accesses > 0)
        Usual[{B.Tasks[T].region, B.Instances[Q.Inst].site}] +=
            Q.Accesses * times(T);
  }
  for (auto &[Where, Accesses] : Usual)
    Accesses /= Tasks[Where.first];
}

/// Of objects that \p T did not access on the base input: accesses that a task
/// of its region usually makes, and of which nothing says that it makes none.
double Extrapolator::mayAccess(uint32_t T) {
  const uint64_t Region = B.Tasks[T].region;
  std::set<uint64_t> Its;
  for (const BaseDemand &Q : Demands[T])
    if (Q.Accesses > 0)
      Its.insert(B.Instances[Q.Inst].site);
  double Sum = 0;
  for (auto U = Usual.lower_bound({Region, 0});
       U != Usual.end() && U->first.first == Region; ++U) {
    if (Its.count(U->first.second))
      continue;
    auto Of = AccessesOf.find(U->first);
    auto Says = [&](const AccessFact *A) {
      Trace How;
      if ((A->Reads && !targetCount(Counts, *A, CountOf::Reads, T, How)) ||
          (A->Writes && !targetCount(Counts, *A, CountOf::Writes, T, How)))
        return false;
      return isTold(How) && !How.Idle;
    };
    if (Of == AccessesOf.end() ||
        !std::all_of(Of->second.begin(), Of->second.end(), Says))
      Sum += U->second;
  }
  return Sum;
}

bool Extrapolator::isDetermined(uint32_t T, const std::vector<Grown> &All) {
  double Recorded = 0, Told = 0;
  for (size_t K = 0; K < All.size(); ++K) {
    const double Accesses = Demands[T][K].Accesses;
    Recorded += Accesses;
    Told += All[K].C.Usable && isTold(All[K].C.How) ? Accesses : 0;
  }
  // What a task did not do on the base input, nothing says of.
  return Recorded > 0 && Told >= MostTold * Recorded &&
         Told >= MostTold * (Recorded + mayAccess(T));
}

} // namespace extrapolation
} // namespace evenkeel
