//===- TextView.h - a report in the terminal --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to draw the tasks of the slowest phases and the traffic of each
// object with characters. The figures are those of the page (ReportData).
// Makes: lines that are no wider than asked for.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_TEXTVIEW_H
#define EVENKEEL_UTILS_CLI_VIEWS_TEXTVIEW_H

#include "Terminal.h"
#include "cli/report/Headlines.h"

namespace evenkeel::cli {

/// The tasks of the slowest kinds of phases, under first touch and with the
/// plan. "" if no phase takes time.
std::string tasksView(const ReportInput &In, const ReportData &D,
                      const Headlines &Says, const TextStyle &S);

/// The bytes that each object moves from and to main memory, by phase. "" if
/// there are no objects, or no phases.
std::string memoryView(const ReportData &D, const Headlines &Says,
                       const TextStyle &S);

} // namespace evenkeel::cli

#endif
