//===- Gather.h - from plans and records to a report ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what has to be predicted and replayed for a report: the plan, the
// placements to compare it with, and both over several amounts of fast memory.
// Makes: a ReportInput that owns its values.
// Not here: options of commands; where the inputs of plans come from.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_GATHER_H
#define EVENKEEL_UTILS_CLI_REPORT_GATHER_H

#include "ReportInput.h"
#include <memory>

namespace evenkeel::cli {

/// Owns what its Input points to, except for the plan's inputs and the judged
/// run, which must outlive it.
struct GatheredReport {
  Machine M;
  Plan P;
  Problem Pr;
  PolicyRuns Played;
  ReportInput Input;
};

struct ReportPlan {
  std::string Fast; // "25%", "16GiB"
  std::string Planner = OwnPlanner, Model = "overlap";
  /// Amounts of fast memory to compare, beside Fast; empty: none.
  std::vector<std::string> Amounts;
};

/// The amounts compared by default.
std::vector<std::string> usualAmounts();

/// Plans from \p In for \p M; all times are predicted.
std::unique_ptr<GatheredReport>
gatherPredicted(const PlanInputs &In, const Machine &M, const ReportPlan &What);

/// The same for the recorded run \p J, whose In is set; What.Fast is that of J.
/// Times are replayed. Leaves J.FastBytes as it was.
std::unique_ptr<GatheredReport> gatherReplayed(JudgedRun &J,
                                               const ReportPlan &What);

} // namespace evenkeel::cli

#endif
