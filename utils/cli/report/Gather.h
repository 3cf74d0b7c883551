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
#include "cli/planning/Planned.h"
#include <memory>

namespace evenkeel::cli {

/// Owns what its Input points to, except for the plan with its inputs and the
/// judged run, which must outlive it.
struct GatheredReport {
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

/// The plan \p X; all times are predicted.
std::unique_ptr<GatheredReport> gatherPredicted(const Planned &X,
                                                const ReportPlan &What);

/// The recorded run \p J, whose In is set; What.Fast is that of J. Times are
/// replayed. Puts the plan into \p X, whose In is J's. Leaves J.FastBytes as it
/// was.
std::unique_ptr<GatheredReport> gatherReplayed(JudgedRun &J, Planned &X,
                                               const ReportPlan &What);

} // namespace evenkeel::cli

#endif
