//===- PlanShares.h - a plan's shares in the source -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the entries of a plan, which are for instances and phases, are
// averaged to one share per site, the only form that a call in the source can
// express.
// Not here: which sites the sources have.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLANSHARES_H
#define EVENKEEL_REWRITER_PLANSHARES_H

#include "CollectOptions.h"
#include "format/Error.h"
#include <map>

namespace evenkeel {

struct PlanShares {
  std::map<uint64_t, unsigned> Percent; // in fast memory, by site
  bool KeepsFirstTouch = false;         // no shares in the source
};

Expected<PlanShares> readPlanShares(const std::string &Path);

/// Sets \p Options from \p Shares, which must outlive them.
void usePlan(const PlanShares &Shares, CollectOptions &Options);

} // namespace evenkeel

#endif
