//===- BenchReport.h - a comparison of policies -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON document that `simulate` prints for a cell, and the schema
// evenkeel.bench/1.
// Makes: rows with ranks, from these documents; the comparison's tables and its
// JSON document.
// Not here: how cells are run (BenchCells.h); means and the papers' measures
// (BenchSummary.h).
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
