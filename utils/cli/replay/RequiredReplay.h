//===- RequiredReplay.h - simulate on a required tier -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what `simulate` does for a machine whose first tier must hold a task's
// data: the record becomes a task graph, and policies for copies are replayed
// on it with each amount of fast memory.
// Not here: other machines (ReadRun.h); the policies (profiles/required).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REQUIREDREPLAY_H
#define EVENKEEL_UTILS_CLI_REQUIREDREPLAY_H

#include "PolicyRuns.h"
#include "required/policies/Policy.h"

namespace evenkeel::cli {

struct RequiredPoint {
  FastAmount Fast;
  std::vector<required::PolicyRun> Runs;
};

struct RequiredRuns {
  Machine M;
  size_t Steps = 0;
  /// Peaks of live data, one step at a time.
  uint64_t BreadthFirst = 0, DepthFirst = 0;
  std::vector<RequiredPoint> Points; // rising; at least one
};

/// "evenkeel.required/1".
nlohmann::json requiredToJson(const RequiredRuns &R);
/// A table for each amount, with what failed, settings other than the defaults,
/// and assumed figures below.
std::string requiredText(const RequiredRuns &R);

/// Does what the options of `simulate` say on \p M, which has a required tier.
int simulateRequired(const Args &A, Machine M);

} // namespace evenkeel::cli

#endif
