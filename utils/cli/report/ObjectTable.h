//===- ObjectTable.h - the objects of a report ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which objects matter: what each saves, per byte of fast memory, and
// what the largest of those that stay slow would save.
// Makes: the objects of ReportData; those that matter least are folded.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_OBJECTTABLE_H
#define EVENKEEL_UTILS_CLI_REPORT_OBJECTTABLE_H

#include "ReportData.h"

namespace evenkeel::cli {

/// Needs the groups of \p D.
void addObjects(const ReportInput &In, ReportData &D);

} // namespace evenkeel::cli

#endif
