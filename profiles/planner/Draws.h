//===- Draws.h - by how much phases may be off ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a task fetches of an object, and its core time, are off by errors
// within the bounds of their estimates (Estimate.h). One part of an error is
// shared by all tasks of a region, such as that of a guessed trip count; the
// other part is a task's own, such as that of an uneven input.
// Makes: errors drawn at random, the same for the same number of the draw
// everywhere.
// Not here: errors of sizes, of the machine file, of where pages lie.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_DRAWS_H
#define EVENKEEL_PROFILES_PLANNER_DRAWS_H

#include "models/Errors.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The errors of \p H, a phase of \p P, in draws 0 to \p Draws - 1. Draw 2k + 1
/// has the errors of draw 2k with the opposite sign, so that means over few
/// draws are close to those over many.
PhaseErrors drawErrors(const Problem &P, const PredictedPhase &H,
                       unsigned Draws);

} // namespace evenkeel

#endif
