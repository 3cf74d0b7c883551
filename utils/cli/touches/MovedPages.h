//===- MovedPages.h - what a policy did with a program's memory -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the figures of `run --policy` as text and as JSON: periods, moves, the
// share of touches that fast memory got, and where objects ended.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_MOVEDPAGES_H
#define EVENKEEL_UTILS_CLI_MOVEDPAGES_H

#include "format/Settings.h"
#include "format/touches/RawTouches.h"
#include "format/touches/TouchRecord.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// What the user asked for.
struct AskedPolicy {
  std::string Name, Tiers; // "shambles-lru"; "emulated" or "numa"
  Settings Set;            // all of the policy's settings
  uint64_t FastBytes = 0;  // of all processes
  std::string Initial;     // file name of locations; "": none
  double Overhead = 0;     // limit, as a share of CPU time
};

/// The summary, of at most \p Most objects; lines end with a line feed.
std::string movesText(const AskedPolicy &Asked,
                      const std::vector<RawTouches> &Processes,
                      const TouchRecord &Named, size_t Most);
nlohmann::json movesJson(const AskedPolicy &Asked,
                         const std::vector<RawTouches> &Processes,
                         const TouchRecord &Named);

} // namespace evenkeel::cli

#endif
