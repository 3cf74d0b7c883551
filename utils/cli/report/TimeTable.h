//===- TimeTable.h - groups of phases and their tasks -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: from where the times of tasks come: the replay, or the prediction; and
// how predicted times compare with replayed ones.
// Makes: groups, times and belief of ReportData.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_TIMETABLE_H
#define EVENKEEL_UTILS_CLI_REPORT_TIMETABLE_H

#include "ReportData.h"

namespace evenkeel::cli {

/// The tasks under first touch and under the plan, replayed or predicted, with
/// their lanes.
struct TimedRuns {
  TimedRun FirstTouch, Plan;
};
TimedRuns timedRuns(const ReportInput &In);

void addTimes(const ReportInput &In, ReportData &D);

/// The place without its column: "cg.c:88".
std::string withoutColumn(const std::string &At);

} // namespace evenkeel::cli

#endif
