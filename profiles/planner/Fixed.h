//===- Fixed.h - objects that no plan moves ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which objects lie where something else has put them: memory whose tier
// the program chose (hbw_malloc, numa_alloc_onnode, ...), arrays on the stack,
// small blocks, which the C library mixes on its pages, and what no site of the
// sources made, which a plan cannot name.
// Makes: their shares under a placement of all else. Chosen memory lies in the
// fast tier, and its bytes are a part of what is taken of that. The system puts
// the others where they are touched first, into fast memory as long as there is
// room beside the most that the placement takes of it.
// Leaves out: which tier was chosen, as no fact tells: the fast one.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_FIXED_H
#define EVENKEEL_PROFILES_PLANNER_FIXED_H

#include "Planner.h"

namespace evenkeel {

/// Finds those of \p P by what \p F says of their sites, and takes the bytes of
/// chosen memory from the room in the fast tier.
void fixObjects(Problem &P, const Facts &F);

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
