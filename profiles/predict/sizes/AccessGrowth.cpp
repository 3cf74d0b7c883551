//===- AccessGrowth.cpp - growth of accesses ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AccessGrowth.h.
//===----------------------------------------------------------------------===//
#include "AccessGrowth.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {
/// A count that has a positive value on both inputs.
struct Both {
  double Old, New;
  Trace How;
};
} // namespace

static std::optional<Both> valuesOf(const BaseTables &Base,
                                    const BaseCounts &Counts,
                                    const TargetCounts &Given,
                                    const AccessFact &A, CountOf Which,
                                    uint32_t Task) {
  Both Out{};
  const std::optional<double> V0 = Counts.at(Base, A, Which, Task).V;
  const std::optional<double> V1 =
      V0 ? Given.at(A, Which, Task, Out.How) : std::nullopt;
  if (!V1 || *V0 <= 0 || *V1 <= 0)
    return std::nullopt;
  Out.Old = *V0;
  Out.New = *V1;
  return Out;
}

AccessGrowth evenkeel::prediction::growthOfAccesses(const BaseTables &Base,
                                                    const BaseCounts &Counts,
                                                    const TargetCounts &Given) {
  AccessGrowth Out;
  double Old = 0, New = 0;
  for (uint32_t T = 0; T < Base.B.Tasks.size(); ++T) {
    const uint64_t Region = Base.B.Tasks[T].region;
    auto In = Base.Accesses.In.find(Region);
    if (In == Base.Accesses.In.end())
      continue;
    for (const AccessFact *A : In->second)
      for (CountOf Which : {CountOf::Reads, CountOf::Writes})
        if (auto X = valuesOf(Base, Counts, Given, *A, Which, T)) {
          Old += X->Old * Base.times(T);
          New += X->New * Base.times(T);
        }
    for (auto It = Base.Accesses.Of.lower_bound({Region, 0});
         It != Base.Accesses.Of.end() && It->first.first == Region; ++It)
      for (const AccessFact *A : It->second)
        for (CountOf Which : {CountOf::Reads, CountOf::Writes}) {
          auto X = valuesOf(Base, Counts, Given, *A, Which, T);
          // A count with only base values says nothing about the target.
          if (X && (X->How.Changed || !X->How.Kept)) {
            auto &Its = Out.BySite[It->first.second];
            Its.first += X->Old * Base.times(T);
            Its.second += X->New * Base.times(T);
          }
        }
  }
  if (Old > 0 && New > 0)
    Out.Work = New / Old;
  return Out;
}
