//===- TextView.h - a report in the terminal --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to draw the tasks over time and the parts of memory by phase with
// characters, for a terminal of a given width.
// Makes: lines of plain text with block characters, no colours.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_TEXTVIEW_H
#define EVENKEEL_UTILS_CLI_VIEWS_TEXTVIEW_H

#include "cli/report/Headlines.h"

namespace evenkeel::cli {

/// \p Width: columns of the terminal.
std::string textView(const ReportInput &In, const ReportData &D,
                     const Headlines &Says, size_t Width);

} // namespace evenkeel::cli

#endif
