//===- Policies.cpp - policies by name ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names. A planner is a policy of the same name: it carries out a
// plan that was made elsewhere, so any planner's name works once its plan is
// given; the planners listed here are those the names of which are printed.
//===----------------------------------------------------------------------===//
#include "policies/Policies.h"
#include "PreparedRecord.h"
#include <algorithm>

namespace evenkeel {

std::vector<std::string> policyNames() {
  return {"slow-only", "fast-only", "first-touch", "interleave",
          "density",   "balanced",  "oracle"};
}

Expected<std::unique_ptr<Policy>> makePolicy(const std::string &Name,
                                             const ReplayRequest &R) {
  if (Name == "slow-only")
    return makeSlowOnly();
  if (Name == "fast-only")
    return makeFastOnly();
  if (Name == "first-touch")
    return makeFirstTouch();
  if (Name == "interleave")
    return makeInterleave();
  if (Name == "oracle") {
    if (R.Prepared)
      return makeOracle(R);
    auto Prepared = prepareRecord(*R.Record);
    if (!Prepared)
      return Prepared.takeError();
    ReplayRequest Own = R;
    Own.Prepared = Prepared->get();
    return makeOracle(Own);
  }
  if (R.P && R.P->Planner == Name)
    return makePlanned(Name, *R.P);
  std::vector<std::string> Names = policyNames();
  if (std::find(Names.begin(), Names.end(), Name) != Names.end()) {
    if (R.P)
      return Error{"policy '" + Name + "' needs a plan of that planner; the " +
                   "plan given was made by '" + R.P->Planner + "'"};
    return Error{"policy '" + Name +
                 "' carries out a plan and there is none; "
                 "give --plan, or --facts and --base"};
  }
  std::string All;
  for (const std::string &N : Names)
    All += (All.empty() ? "" : ", ") + N;
  return Error{"unknown policy '" + Name + "'; policies are " + All};
}

} // namespace evenkeel
