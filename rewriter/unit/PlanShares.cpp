//===- PlanShares.cpp - a plan's shares in the source ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanShares.h.
//===----------------------------------------------------------------------===//
#include "PlanShares.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <cmath>

namespace evenkeel {

/// The plan's shares, weighted by the predicted sizes of instances.
static std::map<uint64_t, unsigned> percentages(const Plan &P) {
  std::map<uint64_t, std::pair<double, double>> Sums;
  std::map<uint64_t, std::pair<double, double>> Plain; // if no size is known
  for (const PlanObject &O : P.Objects) {
    auto &S = Sums[O.Site];
    S.first += O.Share * static_cast<double>(O.PredictedBytes);
    S.second += static_cast<double>(O.PredictedBytes);
    auto &N = Plain[O.Site];
    N.first += O.Share;
    N.second += 1;
  }
  std::map<uint64_t, unsigned> Result;
  for (const auto &[Site, S] : Sums) {
    double Share = S.second > 0 ? S.first / S.second
                                : Plain[Site].first / Plain[Site].second;
    Result[Site] = static_cast<unsigned>(
        std::lround(100 * std::min(1.0, std::max(0.0, Share))));
  }
  return Result;
}

Expected<PlanShares> readPlanShares(const std::string &Path) {
  Expected<Plan> ThePlan = readPlan(Path);
  if (!ThePlan)
    return ThePlan.takeError();
  return PlanShares{percentages(*ThePlan), ThePlan->KeepsFirstTouch};
}

void usePlan(const PlanShares &Shares, CollectOptions &Options) {
  Options.Planned = &Shares.Percent;
  // If the plan keeps first touch, the source gets no shares.
  if (!Shares.KeepsFirstTouch)
    Options.Percent = &Shares.Percent;
}

} // namespace evenkeel
