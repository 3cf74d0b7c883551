//===- Traces.h - tasks over time for other viewers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the trace format of Chrome, which ui.perfetto.dev opens, and that of
// speedscope.app. Both viewers show every task, and none is folded.
// Makes: JSON with a process for first touch and one for the plan, and in them
// a track for each thread, rank or worker; waiting is a slice of its own.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_TRACES_H
#define EVENKEEL_UTILS_CLI_VIEWS_TRACES_H

#include "cli/report/ReportInput.h"

namespace evenkeel::cli {

std::string perfettoTrace(const ReportInput &In);
std::string speedscopeTrace(const ReportInput &In);

} // namespace evenkeel::cli

#endif
