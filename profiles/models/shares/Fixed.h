//===- Fixed.h - objects that the plan does not place -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where objects lie that the plan does not place
// (predict/FixedObjects.h), given the placement of all others. Memory whose
// tier the program chose lies in the fast tier and takes space there. The
// system places the other objects at first touch: in fast memory while there is
// room beside the maximum that the plan uses.
// Not here: which objects these are.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_FIXED_H
#define EVENKEEL_PROFILES_MODELS_SHARES_FIXED_H

#include "format/Machine.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The maximum over the phases [\p From, \p To) of the bytes that planned
/// objects have in fast memory, with the shares \p Fast.
double mostPlaced(const Problem &P, const std::vector<double> &Fast,
                  uint32_t From = 0, uint32_t To = EK_NO_TASK);

/// Sets the shares of fixed units in \p Fast, given those of the others.
void completeShares(const Problem &P, std::vector<double> &Fast);

/// \p P for planners that place everything with demands: the demands of fixed
/// objects become core time of the tasks, at slow-memory latency unless the
/// program chose the tier.
Problem withoutFixed(Problem P, const Machine &M);

} // namespace evenkeel

#endif
