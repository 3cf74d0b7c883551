//===- PlanShares.h - what a plan says to the rewriter ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a plan, which speaks of instances and phases, becomes one share
// per site, which is all that a call in the source can say.
// Not here: which of the sites the sources have.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLANSHARES_H
#define EVENKEEL_REWRITER_PLANSHARES_H

#include "CollectOptions.h"
#include "format/Error.h"
#include <map>

namespace evenkeel {

struct PlanShares {
  std::map<uint64_t, unsigned> Percent; // in fast memory, by site
  bool KeepsFirstTouch = false;         // then the source says no shares
};

Expected<PlanShares> readPlanShares(const std::string &Path);

/// \p Shares must outlive \p Options.
void usePlan(const PlanShares &Shares, CollectOptions &Options);

} // namespace evenkeel

#endif
