//===- AlikePlanPhases.h - one entry of a plan for many phases --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of the iterations of a loop a plan predicts the same, up to rounding.
// The file has such phases once, with the numbers of those that follow
// (`again`), so that reading a plan takes time by their kinds.
// Not here: how entries are written and read (PlanFile.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEPLANPHASES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEPLANPHASES_H

#include "Plan.h"

namespace evenkeel {

/// A phase of a plan, by its place, and the numbers of the later ones of which
/// the same is predicted.
struct AlikePlanPhases {
  size_t First = 0;
  std::vector<uint32_t> Again;
};

/// In the order of their first phases.
std::vector<AlikePlanPhases> alikePhases(const std::vector<PlanPhase> &All);

/// Puts phases that were read in the order of their numbers.
void orderPhases(std::vector<PlanPhase> &All);

} // namespace evenkeel

#endif
