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

#include "BenchData.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace evenkeel::cli {

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
