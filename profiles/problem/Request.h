//===- Request.h - the inputs of a prediction and a plan --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: all inputs of a prediction and a plan: facts, base profile, machine,
// the values given for the target, and measurements of the run.
// Not here: where the inputs come from; nothing here owns a file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_REQUEST_H
#define EVENKEEL_PROFILES_PROBLEM_REQUEST_H

#include "Measured.h"
#include "Problem.h"
#include "format/Facts.h"
#include "format/Machine.h"
#include "format/SeenTypes.h"
#include "format/Settings.h"
#include "format/plan/FittedValues.h"
#include "format/profile/Profile.h"
#include "tuning/Tuning.h"
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// A symbol value known for the target: `--for NAME=VALUE`, or
/// `--for NAME@TASK=VALUE` for the value of one task.
struct Given {
  std::string Name;
  std::optional<uint32_t> Task;
  double Value = 0;
};

/// Invariants: F, Base and M are set and outlive the request; Measured is in
/// the order of phases.
struct PlanRequest {
  const Facts *F = nullptr;
  const Profile *Base = nullptr;
  const Machine *M = nullptr;
  std::string Fast; ///< "12.5%" of the predicted peak, or a size ("16GiB")
  std::vector<Given> For;
  /// Sizes already known when re-planning at a hook: instances that exist.
  std::vector<PredictedInstance> KnownSizes;
  /// And live symbols: values passed to regions that have begun.
  std::vector<KnownSymbol> KnownSymbols;
  /// Finished phases, when planning again at a hook.
  std::vector<MeasuredPhase> Measured;
  /// Measured times of tasks in earlier runs.
  SeenTypes Seen = {};
  /// Growth from the base to the target by fits over several base inputs.
  FittedValues Fitted = {};
  /// Small blocks of a site may get an arena of their own.
  bool Arenas = false;
  std::string Planner = OwnPlanner, Model = "overlap";
  /// The rules that the prediction may use.
  Rules Use = rules();
  /// Values of the planner's tunables; all others have their defaults.
  Settings Tuned = {};
};

} // namespace evenkeel

#endif
