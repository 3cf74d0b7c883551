//===- Owners.h - which thread has whose data on the target -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program that deals out objects to its threads (zones of a grid to
// whoever has least to do) may deal them out otherwise on another input.
// Sampled stalls of the phases that are over tell which thread has what another
// one had on the base input.
// Makes: a Problem whose threads do what is done to the objects they have.
// Leaves out: objects that several threads access; machines without samples.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_OWNERS_H
#define EVENKEEL_PROFILES_PLANNER_OWNERS_H

#include "Planner.h"

namespace evenkeel {

/// Corrects \p P by the samples in \p R.Measured; counts the objects that
/// changed hands, once for each phase, in P.Methods.
void refineOwners(Problem &P, const PlanRequest &R);

} // namespace evenkeel

#endif
