//===- TouchedView.h - touched pages in a report ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the page of a report shows of touches.json: the working set, heat
// maps by object and by address of the busiest process, and the hottest objects
// in words.
// Not here: the maps themselves (TouchMap.h), and the rest of the page
// (report/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHEDVIEW_H
#define EVENKEEL_UTILS_CLI_TOUCHEDVIEW_H

#include "format/touches/TouchRecord.h"
#include <string>

namespace evenkeel::cli {

/// The finding, and what comes below it, as HTML.
std::string touchedFinding(const TouchRecord &R);
std::string touchedHtml(const TouchRecord &R);
/// The figures of both, as the text of a JSON document.
std::string touchedJson(const TouchRecord &R);

} // namespace evenkeel::cli

#endif
