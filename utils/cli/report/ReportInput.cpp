//===- ReportInput.cpp - what a report is made from -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReportInput.h.
//===----------------------------------------------------------------------===//
#include "ReportInput.h"

namespace evenkeel::cli {

std::string policyOfPlan(const std::string &Planner) {
  return Planner == OwnPlanner ? OwnStatic : Planner;
}

const PolicyResult *replayOf(const ReportInput &In, const std::string &Policy) {
  if (In.Replayed)
    for (const PolicyResult &R : In.Replayed->Played->Results)
      if (R.Name == Policy)
        return &R;
  return nullptr;
}

} // namespace evenkeel::cli
