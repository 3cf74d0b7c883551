//===- BenchReport.h - a comparison of policies -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the summary of many cells: for each policy, the makespan against
// slow-only, fast-only, first touch and the oracle, its rank and its A.C.V.;
// tables in the form of the papers that we compare with; the errors of
// predicted task times; and which wins do not hold if the machine differs from
// what the planner assumes.
// Not here: how cells are run (BenchCells).
//
// Improvement over a rival = its makespan / ours - 1 (Merchandiser, PPoPP 2023,
// section 7); time reduction = 1 - ours / its makespan (Tahoe, SC 2018).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHREPORT_H
#define EVENKEEL_UTILS_CLI_BENCHREPORT_H

#include "BenchData.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace evenkeel::cli {

/// Adds the output of `simulate --json`. \p Where has the fields that identify
/// the cell. Also computes the ranks.
void addCell(BenchData &D, const BenchRow &Where, const std::string &Json);

/// Fixes settings once per machine over all cells: for each policy with a grid,
/// the point with the least mean time relative to slow-only. These results
/// replace those with the default settings, and an additional policy NAME@best
/// has the best point of each cell. Call it once, after the last addCell.
void fixSettings(BenchData &D);

/// The tables for display.
std::string benchTables(const BenchData &D);
/// schema evenkeel.bench/1.
nlohmann::json benchJson(const BenchData &D);

} // namespace evenkeel::cli

#endif
