//===- BenchReport.h - policies compared over many replays ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the results of many cells say together: per policy the makespan
// against slow-only, fast-only, first touch and the oracle, its rank and its
// A.C.V.; the tables in the form of the papers we compare with; how well task
// times were predicted; and which wins do not hold when the machine is not
// quite what the planner takes it for.
// Not here: how cells are run (BenchCells).
//
// Improvement over a rival = its makespan / ours - 1 (Merchandiser, PPoPP 2023,
// section 7); time reduction = 1 - ours / its makespan (Tahoe, SC 2018).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHREPORT_H
#define EVENKEEL_UTILS_CLI_BENCHREPORT_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
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

/// Adds what `simulate --json` printed. \p Where has the fields that name the
/// cell. Ranks are made here.
void addCell(BenchData &D, const BenchRow &Where, const std::string &Json);

/// Settings fixed once per machine over all cells: of each policy with a grid
/// the point with the least mean time as a share of slow-only's. Its figures
/// take the place of those at the defaults, and a further policy NAME@best has
/// each cell at its own best point. Once, behind the last addCell.
void fixSettings(BenchData &D);

/// Makes "share of first touch" and the like printable; tables for people.
std::string benchTables(const BenchData &D);
/// schema evenkeel.bench/1.
nlohmann::json benchJson(const BenchData &D);

} // namespace evenkeel::cli

#endif
