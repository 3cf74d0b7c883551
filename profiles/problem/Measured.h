//===- Measured.h - measurements of a run up to a hook ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: measured times of finished phases, the predictions for them, and the
// values of symbols passed to regions. The runtime and the replay of a record
// make them; prediction reads them. Not here: the contents of a base profile
// (format/profile/Profile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_MEASURED_H
#define EVENKEEL_PROFILES_PROBLEM_MEASURED_H

#include "format/plan/Plan.h"
#include <map>
#include <utility>
#include <vector>

namespace evenkeel {

/// The prediction for a task at the last hook before its phase, without
/// corrections by earlier tasks of its type.
struct TaskExpectation {
  uint64_t Region = 0;
  double CoreSeconds = 0; ///< without waiting for memory
  double Lines = 0;       ///< fetched and written back
  double Seconds = 0;
};

/// A finished phase, as seen by a hook. Invariant: times are not negative.
struct MeasuredPhase {
  uint32_t Phase = 0;
  std::map<uint32_t, double> TaskSeconds; ///< of threads, by index
  const Plan *Under = nullptr; ///< the plan in force at the time; null: all
                               ///< slow
  std::map<uint32_t, double> ExplicitSeconds =
      {}; ///< of explicit tasks, by index
  /// Of explicit tasks, as a run sees them, by region: how many there were, and
  /// the sum of their times. ExplicitSeconds follow from it (PhaseLog).
  struct TaskSum {
    uint64_t Tasks = 0;
    double Seconds = 0;
  };
  std::map<uint64_t, TaskSum> ExplicitSums = {};
  /// By (explicit, index).
  std::map<std::pair<bool, uint32_t>, TaskExpectation> Expected = {};
  /// Fast shares of parts of objects (Unit) at the time; empty: not known.
  struct PlacedPart {
    uint32_t Instance;
    unsigned From, To; ///< chunks [From, To)
    double Share;      ///< 0 to 1
  };
  std::vector<PlacedPart> Placed = {};
};

/// A symbol whose value in the target has been seen.
struct KnownSymbol {
  uint64_t Symbol = 0;
  double Value = 0;
  uint32_t Phase = EK_NO_TASK; ///< the phase with this value; EK_NO_TASK: the
                               ///< whole program
  uint32_t Task = EK_NO_TASK;  ///< the index of the thread with this value in
                               ///< Phase; EK_NO_TASK: all of them
};

} // namespace evenkeel

#endif
