//===- BenchCells.h - the runs that a comparison needs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one cell = one target input on one machine with one amount of fast
// memory, replayed under all chosen policies by `evenkeel simulate --json`; how
// cells run at once, and how a finished cell is found again by a later call:
// its result is kept beside a key of everything it depends on.
// Not here: what the results mean (BenchReport).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHCELLS_H
#define EVENKEEL_UTILS_CLI_BENCHCELLS_H

#include "format/Suite.h"
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// A change of the machine that the judge knows of and the planner does not.
struct Variant {
  std::string Name;               // "" = the machine as it is
  double SlowLatencyFactor = 1.0; // on every tier but the first
  std::string Llc;                // last level that all tasks share; "" = as is
};

struct BenchCell {
  const SuiteWorkload *Workload = nullptr;
  const SuiteTarget *Target = nullptr;
  std::string Machine; // as given: name or path
  std::string Fast;    // as for simulate --fast
  Variant V;

  /// Unique in one bench; made of file name characters.
  std::string name() const;
};

struct CellResult {
  std::string Json;  // what simulate --json printed; empty on failure
  std::string Error; // its one line
  bool Kept = false; // found from an earlier call
};

struct CellOptions {
  std::string Directory; // where results are kept; made if need be
  std::vector<std::string> Policies;
  std::vector<std::string> VariantPolicies; // in variants of the machine
  unsigned Parallel = 1;
  bool OtherPhases = false; // targets may have more or fewer than their base
  std::vector<std::string> Extra; // further options of simulate, not variants
};

/// Cells that \p O.Directory holds no result for, in order: what a call of
/// runCells would run.
std::vector<size_t> missingCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O);
/// Processor time that \p Missing cells will take, from the time per byte of
/// record that kept cells took; without any, from a measured constant.
double estimateSeconds(const std::vector<BenchCell> &Cells,
                       const std::vector<size_t> &Missing,
                       const CellOptions &O);
/// Results in the order of \p Cells. A cell's result is written as soon as it
/// is there, so that an interrupted bench goes on where it was.
std::vector<CellResult> runCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O);

} // namespace evenkeel::cli

#endif
