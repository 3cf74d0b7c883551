//===- Density.cpp - ecoHMEM's greedy knapsack ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: value = (loads * (read latency slow - fast) + stores * (write latency
// slow - fast)) / bytes per site. An object is identified by its allocation
// site (ecoHMEM: by its call stack); bytes are the site's peak of live bytes.
//===----------------------------------------------------------------------===//
#include "Density.h"
#include <algorithm>

using namespace evenkeel;

Placement evenkeel::placeByDensity(const Problem &P, const Machine &M) {
  struct Object {
    uint32_t Site = 0; // its number
    double Value = 0, Bytes = 0;
  };
  // Sites by number, in the order of their ids.
  std::vector<uint64_t> Ids;
  for (const PredictedInstance &I : P.Instances)
    Ids.push_back(I.Site);
  std::sort(Ids.begin(), Ids.end());
  Ids.erase(std::unique(Ids.begin(), Ids.end()), Ids.end());
  std::vector<uint32_t> NumberOf; // by instance
  for (const PredictedInstance &I : P.Instances)
    NumberOf.push_back(static_cast<uint32_t>(
        std::lower_bound(Ids.begin(), Ids.end(), I.Site) - Ids.begin()));
  std::vector<Object> Sites(Ids.size());
  for (uint32_t N = 0; N < Ids.size(); ++N)
    Sites[N].Site = N;
  const Tier &F = M.Tiers.front(), &S = M.Tiers.back();
  for (const PredictedPhase &H : P.Phases) {
    std::vector<double> Live(Ids.size(), 0);
    for (size_t I = 0; I < P.Instances.size(); ++I)
      if (isLive(P.Instances[I], H.Phase))
        Live[NumberOf[I]] += P.Instances[I].Bytes;
    for (size_t N = 0; N < Ids.size(); ++N)
      Sites[N].Bytes = std::max(Sites[N].Bytes, Live[N]);
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units)
        Sites[NumberOf[P.Units[U.Unit].Instance]].Value +=
            U.ReadLines * (S.ReadLatencyNs - F.ReadLatencyNs) +
            U.WriteLines * (S.WriteLatencyNs - F.WriteLatencyNs);
  }
  std::vector<Object> Order = std::move(Sites);
  std::sort(Order.begin(), Order.end(), [](const Object &A, const Object &B) {
    double VA = A.Value * B.Bytes, VB = B.Value * A.Bytes;
    return VA != VB ? VA > VB : A.Site < B.Site;
  });
  Placement Out;
  std::vector<bool> Fast(Ids.size());
  double Left = P.FastBytes;
  for (const Object &O : Order)
    if (O.Value > 0 && O.Bytes <= Left) {
      Fast[O.Site] = true;
      Left -= O.Bytes;
    }
  for (const Unit &U : P.Units)
    Out.FastShare.push_back(Fast[NumberOf[U.Instance]] ? 1 : 0);
  return Out;
}
