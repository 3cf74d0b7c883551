//===- PlanTables.h - a plan's tables for people ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: people read at most fifteen lines of a kind. Where there are more,
// phases of one region become one row with the span of their times, then the
// tasks of such phases, and what is left out is counted.
// Below them stand the answer (what the plan gains, and how sure that is) and
// the next command.
// Not here: which figures there are (PlanDemands.h), and JSON.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANTABLES_H
#define EVENKEEL_UTILS_CLI_PLANTABLES_H

#include "PlanDemands.h"
#include "cli/planning/Planning.h"
#include "planner/Outlook.h"
#include "predict/symbols/Ungiven.h"

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

/// How far off nine in ten of the times that phases wait for are at most, as a
/// share of them.
double boundOfMakespan(const Plan &P);

/// Predicted makespans, and what the plan gains over first touch. \p Phases: of
/// that many first phases of the run; 0: of all of it.
std::string answerText(const Plan &P, const Outlook &Ahead, size_t Phases);

/// The command that carries out the plan in \p File.
std::string nextText(const Plan &P, const std::string &File);

/// What a reader should know before believing the answer: objects that keep the
/// size of the base run though another input is planned for; a base that was
/// recorded with the caches of another machine.
std::vector<std::string> doubts(const PlanInputs &In, const Problem &Pr,
                                const Machine &M, const std::string &Named);

} // namespace evenkeel::cli

#endif
