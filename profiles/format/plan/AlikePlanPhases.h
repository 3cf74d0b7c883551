//===- AlikePlanPhases.h - one plan entry for many phases -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the predictions for the iterations of a loop are equal, up to
// rounding. The file has such phases once, with the numbers of the later ones
// (`again`), so the time to read a plan depends on the number of kinds of
// phases.
// Not here: how entries are written and read (PlanFile.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEPLANPHASES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEPLANPHASES_H

#include "Plan.h"

namespace evenkeel {

/// The index of a phase in the plan, and the numbers of later phases with the
/// same prediction.
struct AlikePlanPhases {
  size_t First = 0;
  std::vector<uint32_t> Again;
};

/// Ordered by their first phases.
std::vector<AlikePlanPhases> alikePhases(const std::vector<PlanPhase> &All);

/// Sorts phases by their numbers.
void orderPhases(std::vector<PlanPhase> &All);

} // namespace evenkeel

#endif
