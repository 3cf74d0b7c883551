//===- PlanTables.h - a plan's tables for display ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tables have at most fifteen lines of a kind. If there are more rows,
// phases of one region become one row with a range of times, then also their
// tasks, and omitted rows are counted. Below are the answer (the plan's gain,
// and how certain it is) and the next command.
// Not here: the figures (PlanDemands.h), and JSON.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANTABLES_H
#define EVENKEEL_UTILS_CLI_PLANTABLES_H

#include "PlanDemands.h"
#include "cli/planning/Planning.h"
#include "planner/Outlook.h"
#include "predict/symbols/Ungiven.h"

namespace evenkeel::cli {

/// Maximum number of lines of a table, without its header. Here and below, \p
/// Verbose means all rows.
constexpr size_t MostLines = 15;

/// The number of figures for each way of estimation.
std::string methodsText(const std::map<std::string, unsigned> &Methods);
std::string objectsText(const Facts &F, const Plan &P, const Problem &Pr,
                        bool Verbose);
std::string tasksText(const Plan &P, bool Verbose);
/// The sizes that --for could still give; \p All as sorted by ungivenSymbols.
std::string ungivenText(const std::vector<UngivenSymbol> &All);

/// With 90 % probability, the critical times are off by no more than this
/// fraction.
double boundOfMakespan(const Plan &P);

/// Predicted makespans, and the plan's gain over first touch. \p Phases: for
/// this number of first phases; 0: for the whole run.
std::string answerText(const Plan &P, const Outlook &Ahead, size_t Phases);

/// The command that carries out the plan in \p File.
std::string nextText(const Plan &P, const std::string &File);

/// What a reader should know before trusting the answer: objects that keep
/// their size although another input is planned for; a base recorded with the
/// caches of another machine.
std::vector<std::string> doubts(const PlanInputs &In, const Problem &Pr,
                                const Machine &M, const std::string &Named);

} // namespace evenkeel::cli

#endif
