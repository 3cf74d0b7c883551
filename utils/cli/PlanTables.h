//===- PlanTables.h - a plan's tables for people ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: people read at most fifteen lines of a kind. Where there are more,
// phases of one region become one row with the span of their times, then the
// tasks of such phases, and what is left out is counted.
// Leaves out: which figures there are (PlanDemands.h), and JSON.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANTABLES_H
#define EVENKEEL_UTILS_CLI_PLANTABLES_H

#include "PlanDemands.h"
#include "planner/Ungiven.h"

namespace evenkeel::cli {

/// Lines of a table, without its header. \p Verbose, here and below: all rows,
/// however many.
constexpr size_t MostLines = 15;

/// How many figures were estimated in which way.
std::string methodsText(const std::map<std::string, unsigned> &Methods);
std::string objectsText(const Facts &F, const Plan &P, const Problem &Pr,
                        bool Verbose);
std::string tasksText(const Plan &P, bool Verbose);
/// What else --for could say; \p All as ungivenSymbols sorts them.
std::string ungivenText(const std::vector<UngivenSymbol> &All);

} // namespace evenkeel::cli

#endif
