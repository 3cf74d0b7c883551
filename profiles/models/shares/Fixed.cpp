//===- Fixed.cpp - objects that the plan does not place -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Fixed.h.
//===----------------------------------------------------------------------===//
#include "Fixed.h"
#include "FirstTouch.h"
#include "problem/AlikePhases.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace evenkeel {

double mostPlaced(const Problem &P, const std::vector<double> &Fast,
                  uint32_t From, uint32_t To) {
  if (P.Phases.empty())
    return 0;
  From = std::max(From, P.Phases.front().Phase);
  To = std::min(To, P.Phases.back().Phase + 1);
  if (From >= To)
    return 0;
  std::vector<double> Bytes(P.Instances.size(), 0);
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (!isFixed(P, U))
      Bytes[P.Units[U].Instance] += Fast[U] * P.Units[U].Bytes;
  std::vector<double> Change(To - From + 1, 0);
  for (uint32_t I = 0; I < P.Instances.size(); ++I) {
    const PredictedInstance &X = P.Instances[I];
    const uint32_t Begin = std::max(X.AllocPhase, From);
    const uint32_t End =
        X.FreePhase == EK_NO_TASK ? To : std::min(X.FreePhase + 1, To);
    if (Begin >= End || Bytes[I] == 0)
      continue;
    Change[Begin - From] += Bytes[I];
    Change[End - From] -= Bytes[I];
  }
  double Now = 0, Most = 0;
  for (double C : Change)
    Most = std::max(Most, Now += C);
  return Most;
}

void completeShares(const Problem &P, std::vector<double> &Fast) {
  double Follows = 0; // bytes
  bool Any = false;
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (isFixed(P, U)) {
      Any = true;
      Fast[U] = 1;
      Follows += takesRoom(P, U) ? P.Units[U].Bytes : 0;
    }
  if (!Any || Follows <= 0)
    return;
  const double Room = std::max(0.0, P.FastBytes - mostPlaced(P, Fast));
  if (Follows <= Room)
    return;
  if (Room <= 0) {
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (isFixed(P, U) && takesRoom(P, U))
        Fast[U] = 0;
    return;
  }
  std::vector<double> Placed(P.Units.size(), 0);
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (isFixed(P, U))
      Placed[U] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> Falls = firstTouchShares(P, Placed, Room);
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (isFixed(P, U))
      Fast[U] = Falls[U];
}

Problem withoutFixed(Problem P, const Machine &M) {
  if (std::none_of(P.Instances.begin(), P.Instances.end(),
                   [](const PredictedInstance &I) { return isFixed(I); }))
    return P;
  editAlike(P, AlikePhases(P), [&](PredictedPhase &H, uint32_t) {
    for (PredictedTask &T : H.Tasks.edit()) {
      auto Moves = [&](const UnitDemand &D) {
        if (!isFixed(P, D.Unit))
          return false;
        const Tier &Where =
            takesRoom(P, D.Unit) ? M.Tiers.back() : M.Tiers.front();
        T.Demand.CoreSeconds += D.Exposed * Where.ReadLatencyNs * 1e-9;
        return true;
      };
      auto &Units = T.Demand.Units;
      Units.erase(std::remove_if(Units.begin(), Units.end(), Moves),
                  Units.end());
    }
  });
  return P;
}

} // namespace evenkeel
