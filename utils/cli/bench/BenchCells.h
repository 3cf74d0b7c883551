//===- BenchCells.h - the replays of a comparison ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a cell is one target input on one machine with one amount of fast
// memory, replayed under all chosen policies by `evenkeel simulate --json`.
// Cells run in parallel. The result of a finished cell is stored with a key of
// everything it depends on, so that a later call can reuse it.
// Not here: the meaning of results (BenchReport).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHCELLS_H
#define EVENKEEL_UTILS_CLI_BENCHCELLS_H

#include "format/Suite.h"
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// A change of the machine that only the replay knows, not the planner.
struct Variant {
  std::string Name;               // "" = the machine as it is
  double SlowLatencyFactor = 1.0; // on every tier but the first
  std::string Llc; // size of the shared last-level cache; "" = unchanged
};

struct BenchCell {
  const SuiteWorkload *Workload = nullptr;
  const SuiteTarget *Target = nullptr;
  std::string Machine; // as given: name or path
  std::string Fast;    // as for simulate --fast
  Variant V;

  /// Unique within a bench, and valid as a file name.
  std::string name() const;
};

struct CellResult {
  std::string Json;  // output of simulate --json; empty on failure
  std::string Error; // its one-line error
  bool Kept = false; // reused from an earlier call
};

struct CellOptions {
  std::string Directory; // where results are stored; created if needed
  std::vector<std::string> Policies;
  std::vector<std::string>
      VariantPolicies; // policies for variants of the machine
  unsigned Parallel = 1;
  bool OtherPhases = false; // targets may have other phases than their base
  std::vector<std::string>
      Extra; // further options of simulate; not for variants
};

/// The cells without a stored result in \p O.Directory, in order: those that
/// runCells would run.
std::vector<size_t> missingCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O);
/// Estimated processor time of the \p Missing cells, from the time per byte of
/// record of finished cells, or else from a measured constant.
double estimateSeconds(const std::vector<BenchCell> &Cells,
                       const std::vector<size_t> &Missing,
                       const CellOptions &O);
/// Returns results in the order of \p Cells. Each result is stored immediately,
/// so an interrupted bench continues where it stopped.
std::vector<CellResult> runCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O);

} // namespace evenkeel::cli

#endif
