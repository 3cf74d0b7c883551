//===- Schedule.cpp - what a policy decides about copies ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Schedule.h.
//===----------------------------------------------------------------------===//
#include "Schedule.h"
#include <numeric>

namespace evenkeel::required {

Schedule oneAhead(const TaskGraph &G, Order O) {
  Schedule S;
  S.After.resize(O.size());
  std::iota(S.After.begin(), S.After.end(), 0);
  for (uint32_t Step : O)
    S.Leaves.emplace_back(G.Steps[Step].Uses.size(), false);
  S.Steps = std::move(O);
  return S;
}

uint32_t usesUntilGone(const TaskGraph &G, const Schedule &S,
                       const LiveRanges &Live, uint32_t Position,
                       uint32_t Index) {
  const uint32_t Datum = G.Steps[S.Steps[Position]].Uses[Index].Datum;
  const std::vector<UseInOrder> &Of = Live.OfDatum[Datum];
  uint32_t Further = 0;
  for (uint32_t At = Live.Ordinal[Position][Index];
       At + 1 < Of.size() && Of[At].LiveAfter &&
       !S.Leaves[Of[At].Position][Of[At].Index];
       ++At)
    ++Further;
  return Further;
}

} // namespace evenkeel::required
