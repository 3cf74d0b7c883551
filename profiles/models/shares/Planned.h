//===- Planned.h - the placement by a plan ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a plan's entries apply to the units of a problem.
// Not here: moves at hooks; the shares are those at allocation.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_PLANNED_H
#define EVENKEEL_PROFILES_MODELS_SHARES_PLANNED_H

#include "format/plan/Plan.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The fast share of each unit of \p P under the plan \p X.
std::vector<double> sharesOf(const Problem &P, const Plan &X);

} // namespace evenkeel

#endif
