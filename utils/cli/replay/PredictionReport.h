//===- PredictionReport.h - predicted against replayed times ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the errors of predicted task times against replayed ones: mean and
// worst error over tasks, the mean weighted by time, and Pearson's r. Tasks
// shorter than 0.1 ms are omitted and counted: a hook would not act on them.
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

/// Predicted times for one policy, and its replay.
struct PredictedPolicy {
  std::string Name, When; // "offline": before the run; "hook": at the last hook
  TaskTimes Predicted;
  const PolicyResult *Replayed = nullptr;
  std::string Model = "overlap";
  TaskCounts Counts = {}; // bounds alone if only times are predicted
  /// Sums over all phases with a prediction: predicted, and replayed; 0: none.
  double MakespanSeconds = 0, ReplayedSeconds = 0;
};

/// The counts of the tasks in \p Record; none is Determined.
TaskCounts recordedCounts(const MissRecord &Record);

/// Aligned tables: one row per policy, then one per policy and kind of phase
/// (same region, same number of tasks).
std::string predictionTable(const std::vector<PredictedPolicy> &Rows,
                            const Facts &F);
/// One row per model and time of prediction: errors over all placements in \p
/// Rows, and the mean error for each placement.
std::string placementTable(const std::vector<PredictedPolicy> &Rows);
/// With \p Tasks, also both times of every task, and its predicted counts of
/// accesses and lines beside the \p Recorded ones.
nlohmann::json predictionJson(const std::vector<PredictedPolicy> &Rows,
                              bool Tasks = false,
                              const TaskCounts &Recorded = {});

} // namespace evenkeel::cli

#endif
