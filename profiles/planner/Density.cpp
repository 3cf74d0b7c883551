//===- Density.cpp - ecoHMEM's greedy knapsack ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: value = (loads * (read latency slow - fast) + stores * (write latency
// slow - fast)) / bytes per site; an object is named by its allocation site, as
// ecoHMEM names it by its call stack; bytes are the site's peak of live bytes.
//===----------------------------------------------------------------------===//
#include "Density.h"
#include "Phase.h"
#include <algorithm>
#include <map>

using namespace evenkeel;

Placement DensityPlanner::place(const Problem &P, const Machine &M,
                                const Model &) const {
  struct Object {
    uint64_t Site = 0;
    double Value = 0, Bytes = 0;
  };
  std::map<uint64_t, Object> Sites;
  const Tier &F = M.Tiers.front(), &S = M.Tiers.back();
  for (const PredictedPhase &H : P.Phases) {
    std::map<uint64_t, double> Live;
    for (const PredictedInstance &I : P.Instances)
      if (isLive(I, H.Phase))
        Live[I.Site] += I.Bytes;
    for (auto [Site, Bytes] : Live)
      Sites[Site].Bytes = std::max(Sites[Site].Bytes, Bytes);
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units)
        Sites[P.Instances[P.Units[U.Unit].Instance].Site].Value +=
            U.ReadLines * (S.ReadLatencyNs - F.ReadLatencyNs) +
            U.WriteLines * (S.WriteLatencyNs - F.WriteLatencyNs);
  }
  std::vector<Object> Order;
  for (auto &[Site, O] : Sites) {
    O.Site = Site;
    Order.push_back(O);
  }
  std::sort(Order.begin(), Order.end(), [](const Object &A, const Object &B) {
    double VA = A.Value * B.Bytes, VB = B.Value * A.Bytes;
    return VA != VB ? VA > VB : A.Site < B.Site;
  });
  Placement Out;
  std::map<uint64_t, bool> Fast;
  double Left = P.FastBytes;
  for (const Object &O : Order)
    if (O.Value > 0 && O.Bytes <= Left) {
      Fast[O.Site] = true;
      Left -= O.Bytes;
    }
  for (const Unit &U : P.Units)
    Out.FastShare.push_back(Fast.count(P.Instances[U.Instance].Site) ? 1 : 0);
  return Out;
}
