//===- AlikePlanPhases.cpp - one plan entry for many phases ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AlikePlanPhases.h.
//===----------------------------------------------------------------------===//
#include "AlikePlanPhases.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace evenkeel;

namespace {

/// Smaller differences in seconds come from another order of summation.
constexpr double Rounding = 1e-9;

bool isSame(double A, double B) {
  return std::fabs(A - B) <= Rounding * std::max(std::fabs(A), std::fabs(B));
}

bool isAlike(const PlanPhase &A, const PlanPhase &B) {
  return A.At == B.At && isSame(A.Seconds, B.Seconds) &&
         std::equal(A.TaskKinds.begin(), A.TaskKinds.end(), B.TaskKinds.begin(),
                    B.TaskKinds.end(),
                    [](const PlanTaskKind &X, const PlanTaskKind &Y) {
                      return X.Region == Y.Region && X.Tasks == Y.Tasks &&
                             isSame(X.Seconds, Y.Seconds);
                    }) &&
         std::equal(A.Tasks.begin(), A.Tasks.end(), B.Tasks.begin(),
                    B.Tasks.end(), [](const PlanTask &X, const PlanTask &Y) {
                      return X.Index == Y.Index && X.Explicit == Y.Explicit &&
                             isSame(X.Seconds, Y.Seconds) &&
                             isSame(X.SlowOnlySeconds, Y.SlowOnlySeconds) &&
                             isSame(X.FastOnlySeconds, Y.FastOnlySeconds) &&
                             isSame(X.BoundSeconds, Y.BoundSeconds);
                    });
}

} // namespace

std::vector<AlikePlanPhases>
evenkeel::alikePhases(const std::vector<PlanPhase> &All) {
  // Number of kinds to try for each sync point and region: limits the work in
  // programs whose phases all differ.
  constexpr size_t Tried = 8;
  std::vector<AlikePlanPhases> Out;
  std::map<std::tuple<uint64_t, uint64_t, size_t>, std::vector<size_t>> Known;
  for (size_t H = 0; H < All.size(); ++H) {
    const PlanPhase &X = All[H];
    std::vector<size_t> &Its = Known[{X.Sync, X.Region, X.Tasks.size()}];
    auto Same = std::find_if(Its.rbegin(), Its.rend(), [&](size_t G) {
      return isAlike(All[Out[G].First], X);
    });
    if (Same != Its.rend() && X.Phase > All[Out[*Same].First].Phase) {
      Out[*Same].Again.push_back(X.Phase);
      continue;
    }
    if (Its.size() == Tried)
      Its.erase(Its.begin());
    Its.push_back(Out.size());
    Out.push_back({H, {}});
  }
  return Out;
}

void evenkeel::orderPhases(std::vector<PlanPhase> &All) {
  std::sort(All.begin(), All.end(), [](const PlanPhase &A, const PlanPhase &B) {
    return A.Phase < B.Phase;
  });
}
