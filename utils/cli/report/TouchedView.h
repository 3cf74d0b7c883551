//===- TouchedView.h - touched pages in a report ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a page shows of touches.json: the working set, heat maps by
// object and by address of the busiest process, and the hottest objects in
// words. Not here: the maps themselves (touches/TouchMap.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_TOUCHEDVIEW_H
#define EVENKEEL_UTILS_CLI_REPORT_TOUCHEDVIEW_H

#include "format/touches/TouchRecord.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace evenkeel::cli {

/// The finding, and what comes below it, as HTML.
std::string touchedFinding(const TouchRecord &R);
std::string touchedHtml(const TouchRecord &R);
/// The figures of both.
nlohmann::ordered_json touchedJson(const TouchRecord &R);

} // namespace evenkeel::cli

#endif
