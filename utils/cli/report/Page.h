//===- Page.h - the page of a report ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a report is one file of HTML that needs nothing else.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_PAGE_H
#define EVENKEEL_UTILS_CLI_REPORT_PAGE_H

#include "ReportInput.h"

namespace evenkeel::cli {

std::string reportPage(const ReportInput &In);

/// Writes the page: complete, or not at all.
void writeReport(const ReportInput &In, const std::string &Path);

} // namespace evenkeel::cli

#endif
