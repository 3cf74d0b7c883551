//===- Outlook.h - placements to compare a plan with ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predicted makespans of the placements that need no plan.
// Not here: moves by the operating system, and times replayed by the simulator.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_OUTLOOK_H
#define EVENKEEL_PROFILES_PLANNER_OUTLOOK_H

#include "Planner.h"

namespace evenkeel {

/// Predicted makespans in seconds, of the phases of a Problem.
struct Outlook {
  double AllSlow = 0;
  double FirstTouch = 0;
  double AllFast = 0; // as if the fast tier had room for everything
};

/// \p P as predicted by makePlan for \p M.
Outlook outlookOf(const Problem &P, const Machine &M, const Model &Mod);

} // namespace evenkeel

#endif
