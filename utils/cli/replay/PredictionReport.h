//===- PredictionReport.h - predicted against replayed times ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how far predicted task times are from replayed ones: mean and worst
// error over tasks, the mean weighted by time, and Pearson's r. Tasks shorter
// than 0.1 ms are left out and counted: a hook would not act on them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PREDICTIONREPORT_H
#define EVENKEEL_UTILS_CLI_PREDICTIONREPORT_H

#include "HookWatch.h"
#include "format/Facts.h"
#include "simulator/Replay.h"
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// One policy's predicted times, and what replay says.
struct PredictedPolicy {
  std::string Name, When; // "offline": before the run; "hook": at the last hook
  TaskTimes Predicted;
  const PolicyResult *Replayed = nullptr;
  std::string Model = "overlap";
  TaskCounts Counts = {}; // empty where only times are predicted
  /// Of all phases of which something is predicted, and what they took in
  /// replay; 0: none is.
  double MakespanSeconds = 0, ReplayedSeconds = 0;
};

/// What \p Record says of its tasks; none is Determined.
TaskCounts recordedCounts(const MissRecord &Record);

/// Aligned tables: one row per policy, then one per policy and kind of phases
/// (same region, same number of tasks).
std::string predictionTable(const std::vector<PredictedPolicy> &Rows,
                            const Facts &F);
/// One row per model and moment: errors over all placements in \p Rows, and the
/// mean error of each.
std::string placementTable(const std::vector<PredictedPolicy> &Rows);
/// With \p Tasks, every task's two times as well, and its counts of accesses
/// and lines next to those that are \p Recorded.
nlohmann::json predictionJson(const std::vector<PredictedPolicy> &Rows,
                              bool Tasks = false,
                              const TaskCounts &Recorded = {});

} // namespace evenkeel::cli

#endif
