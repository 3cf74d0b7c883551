//===- Outlook.cpp - placements to compare a plan with --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Outlook.h.
//===----------------------------------------------------------------------===//
#include "Outlook.h"
#include "models/Phase.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Fixed.h"
#include "problem/ReachedTiers.h"

using namespace evenkeel;

Outlook evenkeel::outlookOf(const Problem &P, const Machine &M,
                            const Model &Mod) {
  const Machine Reached = withoutUnreachedTiers(M, P.PeakBytes);
  const std::vector<double> All(P.Units.size(), 1),
      Touched = firstTouchShares(P);
  std::vector<double> None; // except what the program put into the fast tier
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    None.push_back(takesRoom(P, U) ? 0 : 1);
  auto Ordered = [&](const std::vector<double> &Fast) {
    double Sum = 0;
    for (const PredictedPhase &H : P.Phases)
      Sum += orderedSeconds(H, phaseState(H, Fast, Reached, Mod));
    return Sum;
  };
  return {Ordered(None), Ordered(Touched), Ordered(All)};
}
