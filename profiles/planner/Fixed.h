//===- Fixed.h - objects that no plan moves ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which objects lie where something else has put them: memory whose tier
// the program chose (hbw_malloc, numa_alloc_onnode, ...), arrays on the stack,
// small blocks, which the C library mixes on its pages, and what no site of the
// sources made, which a plan cannot name.
// Makes: their traffic a part of the core time of tasks, the bytes of chosen
// memory a part of what is taken of the fast memory; plans without them. Where
// nothing is placed, what the program did not choose falls into fast memory as
// all else does, which first touch is given credit for.
// Leaves out: which tier was chosen, as no fact tells: the fast one; what their
// traffic takes of a tier's bandwidth.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_FIXED_H
#define EVENKEEL_PROFILES_PLANNER_FIXED_H

#include "Planner.h"

namespace evenkeel {

/// Finds those of \p P by what \p F says of their sites.
void fixObjects(Problem &P, const Facts &F, const Machine &M);
/// \p P as first touch meets it.
Problem whereNothingIsPlaced(Problem P);
/// Seconds that this saves, with the shares \p Fast that first touch gives.
double firstTouchSaves(const Problem &P, const std::vector<double> &Fast,
                       const Machine &M, const Model &Mod);
/// No share of theirs is asked for.
void leaveFixed(Placement &Place, const Problem &P);

} // namespace evenkeel

#endif
