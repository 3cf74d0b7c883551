//===- MakeData.h - the figures that a report shows -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the answer and the curve over amounts of fast memory; the moves of a
// plan.
// Makes: ReportData, from ReportInput alone.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_MAKEDATA_H
#define EVENKEEL_UTILS_CLI_REPORT_MAKEDATA_H

#include "ReportData.h"

namespace evenkeel::cli {

ReportData reportData(const ReportInput &In);

} // namespace evenkeel::cli

#endif
