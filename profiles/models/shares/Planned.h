//===- Planned.h - where units lie under a plan -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the entries of a plan say of the units of a problem.
// Not here: moves at hooks; shares are those as allocated.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_PLANNED_H
#define EVENKEEL_PROFILES_MODELS_SHARES_PLANNED_H

#include "format/plan/Plan.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Fast share of every unit of \p P where \p X is carried out.
std::vector<double> sharesOf(const Problem &P, const Plan &X);

} // namespace evenkeel

#endif
