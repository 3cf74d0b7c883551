//===- Work.cpp - how counts of accesses grow -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: C'(o,t)/C(o,t), count expressions evaluated with the target's and the
// base's symbols, of a task, of a site and of the whole program.
// Leaves out: what stands in where an expression is not usable (Tasks.cpp).
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

Extrapolator::Ratio Extrapolator::ratio(uint32_t Task, uint64_t Site) {
  Ratio C;
  auto It = AccessesOf.find({B.Tasks[Task].region, Site});
  if (It == AccessesOf.end())
    return C;
  double All0 = 0, All1 = 0, Writes0 = 0, Writes1 = 0;
  bool Good = true;
  for (const AccessFact *A : It->second) {
    auto Add = [&](const ExprRef &E, double &Old, double &New) {
      if (!E)
        return;
      std::optional<double> V0 = evalBase(*E, Task);
      std::optional<double> V1 =
          V0 ? evalTarget(*E, Task, C.How) : std::nullopt;
      if (!V0 || !V1) {
        Good = false;
        return;
      }
      // Counts are not negative; an expression may be for an empty range.
      Old += std::max(0.0, *V0);
      New += std::max(0.0, *V1);
    };
    double Reads0 = 0, Reads1 = 0, W0 = 0, W1 = 0;
    Add(A->Reads, Reads0, Reads1);
    Add(A->Writes, W0, W1);
    All0 += Reads0 + W0;
    All1 += Reads1 + W1;
    Writes0 += W0;
    Writes1 += W1;
  }
  C.Usable = Good && All0 > 0;
  if (C.Usable) {
    C.All = All1 / All0;
    // A region that only reads an object writes back what others left dirty in
    // the caches: that many lines at most, whatever the input.
    C.Writes = Writes0 > 0 ? Writes1 / Writes0 : 1;
  }
  return C;
}

const Extrapolator::Ratio &Extrapolator::cachedRatio(uint32_t Task,
                                                     uint64_t Site) {
  auto [It, New] = Ratios.try_emplace({Task, Site});
  if (New)
    It->second = ratio(Task, Site);
  return It->second;
}

void Extrapolator::programWork() {
  double Old = 0, New = 0;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    auto It = AccessesIn.find(B.Tasks[T].region);
    if (It == AccessesIn.end())
      continue;
    for (const AccessFact *A : It->second)
      for (const ExprRef &E : {A->Reads, A->Writes}) {
        if (!E)
          continue;
        Trace How;
        std::optional<double> V0 = evalBase(*E, T);
        std::optional<double> V1 = V0 ? evalTarget(*E, T, How) : std::nullopt;
        if (V1 && *V0 > 0 && *V1 > 0) {
          Old += *V0;
          New += *V1;
        }
      }
  }
  HaveWork = Old > 0 && New > 0;
  WorkRatio = HaveWork ? New / Old : 1;
}

void Extrapolator::siteAccesses() {
  SiteAccesses.clear();
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    for (auto It = AccessesOf.lower_bound({B.Tasks[T].region, 0});
         It != AccessesOf.end() && It->first.first == B.Tasks[T].region; ++It)
      for (const AccessFact *A : It->second)
        for (const ExprRef &E : {A->Reads, A->Writes}) {
          if (!E)
            continue;
          Trace How;
          std::optional<double> V0 = evalBase(*E, T);
          std::optional<double> V1 = V0 ? evalTarget(*E, T, How) : std::nullopt;
          if (V1 && *V0 > 0 && *V1 > 0 && (How.Changed || !How.Kept)) {
            SiteAccesses[It->first.second].first += *V0;
            SiteAccesses[It->first.second].second += *V1;
          }
        }
}

} // namespace extrapolation
} // namespace evenkeel
