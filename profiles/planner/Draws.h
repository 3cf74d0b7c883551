//===- Draws.h - phases as they may turn out --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a task fetches of an object, and its core time, are off by errors
// within the bounds of their estimates (Estimate.h). One part of an error is
// shared by all tasks of a region, such as that of a guessed trip count; the
// other part is a task's own, such as that of an uneven input.
// Makes: the phase as it would be with errors drawn at random, the same for the
// same number of the draw everywhere.
// Not here: errors of sizes, of the machine file, of where pages lie.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_DRAWS_H
#define EVENKEEL_PROFILES_PLANNER_DRAWS_H

#include "problem/Problem.h"

namespace evenkeel {

/// Draws of one phase. Refers to the problem and the phase.
class PhaseDraws {
  const Problem &P;
  const PredictedPhase &H;
  /// By task: the standard deviation of ln(true / predicted) of each of its
  /// units, and of its core time.
  std::vector<std::vector<double>> Lines;
  std::vector<double> Core;

public:
  PhaseDraws(const Problem &P, const PredictedPhase &H);
  /// Draw 2k + 1 has the errors of draw 2k with the opposite sign, so that
  /// means over few draws are close to those over many. Has what a phase's
  /// time depends on, and no estimates.
  PredictedPhase draw(unsigned Which) const;
};

} // namespace evenkeel

#endif
