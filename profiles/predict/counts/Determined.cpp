//===- Determined.cpp - whose counts follow from what is known ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of a task's accesses, those whose counts follow from values of the
// target; and what other tasks of its region do that it did not do on the base
// input, as often as data say.
// Makes: whether the task counts as determined.
// Leaves out: where it gathers (openUnsampled in Samples.h).
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <set>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Whether a count follows from values that are known, and not from how others
/// grew.
static bool isTold(const Trace &How) { return !How.Scaled && !How.Derived; }

/// Of objects that \p T did not access on the base input: accesses that a task
/// of its region usually makes, and of which nothing says that it makes none.
static double mayAccess(const CountInputs &In, uint32_t T) {
  const Profile &B = In.Base.B;
  const uint64_t Region = B.Tasks[T].region;
  std::set<uint64_t> Its;
  for (const BaseDemand &Q : In.Demands.Of[T])
    if (Q.Accesses > 0)
      Its.insert(B.Instances[Q.Inst].site);
  auto Says = [&](const AccessFact *A) {
    Trace How;
    if ((A->Reads && !In.New.at(*A, CountOf::Reads, T, How)) ||
        (A->Writes && !In.New.at(*A, CountOf::Writes, T, How)))
      return false;
    return isTold(How) && !How.Idle;
  };
  const auto &Usual = In.Demands.Usual;
  double Sum = 0;
  for (auto U = Usual.lower_bound({Region, 0});
       U != Usual.end() && U->first.first == Region; ++U) {
    const uint64_t Site = U->first.second;
    if (Its.count(Site))
      continue;
    const std::vector<const AccessFact *> *Of =
        In.Base.Accesses.find(Region, Site);
    if (!Of || !std::all_of(Of->begin(), Of->end(), Says))
      Sum += U->second;
  }
  return Sum;
}

bool evenkeel::prediction::isDetermined(const CountInputs &In, uint32_t Task,
                                        const std::vector<CountGrowth> &Its) {
  double Recorded = 0, Told = 0;
  for (size_t K = 0; K < Its.size(); ++K) {
    const double Accesses = In.Demands.Of[Task][K].Accesses;
    Recorded += Accesses;
    Told += Its[K].C.Usable && isTold(Its[K].C.How) ? Accesses : 0;
  }
  // What a task did not do on the base input, nothing says of.
  return Recorded > 0 && Told >= figures().DeterminedShare * Recorded &&
         Told >= figures().DeterminedShare * (Recorded + mayAccess(In, Task));
}
