//===- TouchText.h - touched memory in the terminal -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how heat maps, the working set and the times since the last touch are
// drawn with characters, each source line with its own row.
// Makes: lines that are no wider than asked for; each ends with a line feed.
// Not here: the values (TouchMap.h, curves/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_TOUCHTEXT_H
#define EVENKEEL_UTILS_CLI_TOUCHES_TOUCHTEXT_H

#include "TouchMap.h"
#include "cli/views/Terminal.h"
#include "curves/Recency.h"
#include "curves/WorkingSet.h"

namespace evenkeel::cli {

/// Columns that a map in \p S has for its passes.
size_t mapColumns(const TextStyle &S);

std::string heatView(const HeatGrid &G, const TextStyle &S);

/// At most \p Most source lines.
std::string workingSetView(const WorkingSet &W, const TextStyle &S,
                           size_t Most);
std::string recencyView(const Recency &R, const TextStyle &S, size_t Most);

} // namespace evenkeel::cli

#endif
