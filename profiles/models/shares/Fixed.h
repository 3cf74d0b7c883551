//===- Fixed.h - objects that no plan moves ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where objects lie that no plan moves (predict/FixedObjects.h), under a
// placement of all others. Memory whose tier the program chose lies in the fast
// tier and takes a part of it. The system puts the others where they are
// touched first: into fast memory as long as there is room beside the most that
// the placement takes.
// Not here: which objects these are.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_FIXED_H
#define EVENKEEL_PROFILES_MODELS_SHARES_FIXED_H

#include "format/Machine.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The most bytes that the objects which a plan places have in fast memory at
/// once in the phases [\p From, \p To), with the shares \p Fast.
double mostPlaced(const Problem &P, const std::vector<double> &Fast,
                  uint32_t From = 0, uint32_t To = EK_NO_TASK);

/// Sets the shares of fixed units in \p Fast to what they are where the others
/// lie as \p Fast says.
void completeShares(const Problem &P, std::vector<double> &Fast);

/// \p P for planners that place all that has demands: those of fixed objects
/// are a part of the core time of tasks, in slow memory where the tier was not
/// chosen.
Problem withoutFixed(Problem P, const Machine &M);

} // namespace evenkeel

#endif
