//===- CurveJson.h - working set and recency as JSON ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the values of curves/ look in the output of --json and in the data
// of a report: whole bytes, and seconds with six significant digits.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVEJSON_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVEJSON_H

#include "format/touches/TouchRecord.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// Sets "process", "working_set" and "recency" of \p To, with at most \p Most
/// rows each, as groupsOf makes them.
void addCurves(const TouchRecord &R, uint32_t Process, bool Single, size_t Most,
               nlohmann::json &To);

} // namespace evenkeel::cli

#endif
