//===- ReportSources.h - what a report is made from -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the options that name what a report shows, for all commands that show
// it: the files of plan, or a plan, or what tune planned for a command, and a
// record of the target.
// Makes: a ReportInput.
// Not here: what is made of it (report/, views/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_COMMANDS_REPORTSOURCES_H
#define EVENKEEL_UTILS_CLI_COMMANDS_REPORTSOURCES_H

#include "cli/planning/Planned.h"
#include "cli/report/Gather.h"

namespace evenkeel::cli {

/// All that is read, and what is made of it.
struct ReportWork {
  std::string PlanFile; // "": there is none yet
  std::optional<Plan> Given;
  Planned X;   // with a record, without In
  JudgedRun J; // with a record
  ReportPlan What;
  std::string Tuned; // where the page goes if the plan is what tune made, or ""
  std::string SourcesRoot;
  std::unique_ptr<GatheredReport> Made;

  const ReportInput &input() const { return Made->Input; }
};

/// The options that useSources() and gatherReport() read.
std::vector<Option> reportSourceOptions();

/// The command \p Name with what \p A gives of these.
std::string sameSources(const Args &A, const std::string &Name);

/// Finds the plan before anything takes time. \p Name: of the command.
void findReportPlan(const Args &A, const std::string &Name, ReportWork &W);

/// The files that \p A names.
std::vector<std::string> reportFiles(const Args &A);

/// Reads the plan, and checks the amounts of fast memory to compare.
void readReportPlan(const Args &A, std::vector<std::string> Amounts,
                    ReportWork &W);

/// Predicts and replays. The input lives as long as \p W.
void gatherReport(const Args &A, const std::string &Name, ReportWork &W);

} // namespace evenkeel::cli

#endif
