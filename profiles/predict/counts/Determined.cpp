//===- Determined.cpp - tasks whose counts follow from known values -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which of a task's counts follow from values of the target; and
// accesses of other tasks of its region that it did not make on the base input,
// whose number depends on data.
// Makes: whether the task counts as determined.
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <set>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Whether a count follows from known values, and not from the growth of other
/// counts.
static bool isKnown(const Trace &How) { return !How.Scaled && !How.Derived; }

/// Accesses to objects that \p T did not access on the base input, which tasks
/// of its region usually make and which no formula rules out.
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
    return isKnown(How) && !How.Idle;
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
  double Recorded = 0, Known = 0;
  for (size_t K = 0; K < Its.size(); ++K) {
    const double Accesses = In.Demands.Of[Task][K].Accesses;
    Recorded += Accesses;
    Known += Its[K].C.Usable && isKnown(Its[K].C.How) ? Accesses : 0;
  }
  // Nothing is known about accesses that a task did not make on the base input.
  return Recorded > 0 && Known >= figures().DeterminedShare * Recorded &&
         Known >= figures().DeterminedShare * (Recorded + mayAccess(In, Task));
}
