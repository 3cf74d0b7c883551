//===- PlanAnswer.h - what a plan brings, and how sure that is --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the last lines of `evenkeel plan`: predicted makespans, the gain, the
// next command; and what makes these figures doubtful.
// Leaves out: the tables above (PlanTables.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANANSWER_H
#define EVENKEEL_UTILS_CLI_PLANANSWER_H

#include "Planning.h"
#include "planner/Outlook.h"
#include <string>
#include <vector>

namespace evenkeel::cli {

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
