//===- BenchData.h - the results of a comparison's cells --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of a comparison: results of policies, predictions, grids of
// settings and oracles, for each cell.
// Not here: their summary (BenchSummary).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHDATA_H
#define EVENKEEL_UTILS_CLI_BENCHDATA_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// One policy in one cell.
struct BenchRow {
  std::string Workload, Target, Machine, Variant, Fast, Policy;
  std::vector<std::string> Groups; // of the workload
  double FastShare = 0;            // of the recorded peak, as a fraction
  double MakespanS = 0, Acv = 0, BarrierWaitS = 0, FastAccessShare = 0;
  uint64_t MigratedBytes = 0;
  unsigned Rank = 0; // 1 = fastest in the cell; 0 for what-if policies
  bool KeptFirstTouch = false; // the planner found no better placement
  double LeastAcv = 0;         // oracles: OracleReport's

  bool sameCell(const BenchRow &O) const {
    return Workload == O.Workload && Target == O.Target &&
           Machine == O.Machine && Variant == O.Variant && Fast == O.Fast;
  }
};

/// Predicted and replayed task times of one policy in one cell.
struct BenchPrediction {
  std::string Workload, Target, Machine, Fast, Policy, When;
  unsigned Tasks = 0;
  double MeanError = 0, MeanErrorByTime = 0, WorstError = 0, Pearson = 0;
};

/// One policy in one cell, at every point of its grid of settings.
struct BenchGrid {
  struct Point {
    std::string Settings; // "NAME=VALUE NAME=VALUE"
    BenchRow Row;
  };
  std::vector<Point> Points;
};

/// The effect of tuning a policy on one machine: mean time over cells, relative
/// to slow-only.
struct BenchTuned {
  std::string Machine, Policy, Settings;
  double Default = 0, Fixed = 0,
         Best = 0; // Best: each cell with its own best settings
  unsigned Cells = 0;
};

/// The distance of the best placement found from the lower bound in one cell.
struct BenchOracle {
  double Seconds = 0, StaticSeconds = 0; // best found; best without migration
  double Bound = 0, StaticBound = 0;     // proven lower bounds
};

struct BenchData {
  std::vector<BenchRow> Rows; // rows of a cell are adjacent
  std::vector<BenchOracle> Oracles;
  std::vector<BenchGrid> Grids;
  std::vector<BenchTuned> Tuned;
  std::vector<BenchPrediction> Predictions;
  std::vector<std::string> Assumed; // assumed figures in machine files
};

} // namespace evenkeel::cli

#endif
