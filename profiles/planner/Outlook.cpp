//===- Outlook.cpp - what a plan is to be held against --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Outlook.h"
#include "FirstTouch.h"
#include "Fixed.h"
#include "Phase.h"

using namespace evenkeel;

Outlook evenkeel::outlookOf(const Problem &P, const Machine &M,
                            const Model &Mod) {
  const Machine Reached = withoutUnreachedTiers(M, P.PeakBytes);
  const std::vector<double> None(P.Units.size(), 0), All(P.Units.size(), 1),
      Touched = firstTouchShares(P);
  Outlook O;
  O.AllSlow = makespan(P, None, Reached, Mod);
  O.AllFast =
      makespan(P, All, Reached, Mod) - firstTouchSaves(P, All, Reached, Mod);
  O.FirstTouch = makespan(P, Touched, Reached, Mod) -
                 firstTouchSaves(P, Touched, Reached, Mod);
  return O;
}
