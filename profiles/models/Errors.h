//===- Errors.h - a phase whose predictions are off -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a task does with an object is linear in its lines, so that one
// pass over a placement's units gives the phase for any errors of objects.
// Makes: the phase's states for several sets of errors at once.
// Ignores: that errors change where a phase is cut into spans (Spans.h) and
// when lines are written back; both are as predicted.
// Not here: which errors are likely (planner/Draws.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_ERRORS_H
#define EVENKEEL_PROFILES_MODELS_ERRORS_H

#include "Model.h"
#include "Phase.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Factors on the predictions of one task, each by set of errors.
struct TaskErrors {
  /// Units that are off alike: those of the task behind the last stretch, up to
  /// \p End (exclusive).
  struct Stretch {
    size_t End;
    std::vector<double> By; ///< on lines and exposed latencies
  };
  std::vector<double> Core;     ///< on core seconds
  std::vector<Stretch> Objects; ///< all units of the task
};

struct PhaseErrors {
  size_t Sets = 0;
  std::vector<TaskErrors> Tasks; ///< as in the phase
};

/// The states of \p P under \p Fast with each set of \p Errors. What a model
/// has exposed latencies cost is divided among units by these latencies. Takes
/// time by the number of units, and by that of objects and sets.
std::vector<PhaseState> statesWith(const PredictedPhase &P,
                                   const PhaseErrors &Errors,
                                   const std::vector<double> &Fast,
                                   const Machine &M, const Model &Mod);

} // namespace evenkeel

#endif
