//===- BenchData.h - what a comparison's cells gave -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of a comparison: policies, predictions, grids of settings and
// oracles, each of one cell.
// Not here: what they say together (BenchSummary).
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
  unsigned Rank = 0; // 1 = fastest of the cell; what-if policies have none
  bool KeptFirstTouch = false; // the planner found nothing better, and said so
  double LeastAcv = 0;         // of oracles: OracleReport's

  bool sameCell(const BenchRow &O) const {
    return Workload == O.Workload && Target == O.Target &&
           Machine == O.Machine && Variant == O.Variant && Fast == O.Fast;
  }
};

/// Predicted against replayed task times of one policy in one cell.
struct BenchPrediction {
  std::string Workload, Target, Machine, Fast, Policy, When;
  unsigned Tasks = 0;
  double MeanError = 0, MeanErrorByTime = 0, WorstError = 0, Pearson = 0;
};

/// A policy in one cell at every point of its grid of settings.
struct BenchGrid {
  struct Point {
    std::string Settings; // "NAME=VALUE NAME=VALUE"
    BenchRow Row;
  };
  std::vector<Point> Points;
};

/// What tuning made of a policy on one machine: time as a share of slow-only's,
/// means over cells.
struct BenchTuned {
  std::string Machine, Policy, Settings;
  double Default = 0, Fixed = 0, Best = 0; // Best: each cell at its own point
  unsigned Cells = 0;
};

/// How far the best placement found may be from the optimum in one cell.
struct BenchOracle {
  double Seconds = 0, StaticSeconds = 0; // best found; without migration
  double Bound = 0, StaticBound = 0;     // proven: none is below
};

struct BenchData {
  std::vector<BenchRow> Rows; // those of a cell are neighbours
  std::vector<BenchOracle> Oracles;
  std::vector<BenchGrid> Grids;
  std::vector<BenchTuned> Tuned;
  std::vector<BenchPrediction> Predictions;
  std::vector<std::string> Assumed; // figures of machine files without a source
};

/// Ours: the policy that figures of a bench speak of.
inline constexpr char OursName[] = "balanced";

} // namespace evenkeel::cli

#endif
