//===- FixedObjects.cpp - objects that no plan moves ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FixedObjects.h.
//===----------------------------------------------------------------------===//
#include "FixedObjects.h"
#include "format/Allocators.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <map>
#include <set>

namespace evenkeel {

/// The sites whose small blocks have enough bytes for an arena: its first pages
/// take about four granules of 64 KiB.
static std::set<uint64_t> sitesForArenas(const Problem &P, const Facts &F) {
  std::map<uint64_t, double> Bytes;
  for (const PredictedInstance &I : P.Instances)
    if (I.Site && EK_RAW_IS_SMALL(I.Ordinal) && F.site(I.Site))
      Bytes[I.Site] += I.Bytes;
  std::set<uint64_t> Out;
  for (const auto &[Site, All] : Bytes)
    if (All >= figures().ArenaLeast)
      Out.insert(Site);
  return Out;
}

static PredictedInstance::FixedType kindOf(const PredictedInstance &I,
                                           const SiteFact *S, bool Arena) {
  if (!I.Site)
    return PredictedInstance::Unnamed;
  if (EK_RAW_IS_SMALL(I.Ordinal) && !Arena)
    return PredictedInstance::Small;
  if (!S)
    return PredictedInstance::Free;
  if (S->onStack())
    return PredictedInstance::OnStack;
  const Allocator *A = findAllocator(S->Kind);
  return A && A->From == AllocatorOrigin::Chosen ? PredictedInstance::TierChosen
                                                 : PredictedInstance::Free;
}

void fixObjects(Problem &P, const Facts &F, bool Arenas) {
  bool Chosen = false;
  std::set<uint64_t> With;
  if (Arenas)
    With = sitesForArenas(P, F);
  for (PredictedInstance &I : P.Instances) {
    I.Fixed = kindOf(I, F.site(I.Site), With.count(I.Site));
    if (I.Fixed == PredictedInstance::TierChosen) {
      Chosen = true;
      ++P.Methods["not placed: the program chose the tier"];
    } else if (I.Fixed == PredictedInstance::OnStack) {
      ++P.Methods["not placed: on the stack"];
    } else if (I.Fixed == PredictedInstance::Unnamed) {
      ++P.Methods["not placed: no site in the sources"];
    } else if (I.Fixed == PredictedInstance::Small) {
      ++P.Methods["not placed: small blocks"];
    }
  }
  double Most = 0;
  for (uint32_t H = 0; Chosen && H < P.Phases.size(); ++H) {
    double Live = 0;
    for (const PredictedInstance &I : P.Instances)
      if (I.Fixed == PredictedInstance::TierChosen && isLive(I, H))
        Live += I.Bytes;
    Most = std::max(Most, Live);
  }
  P.FastBytes = std::max(0.0, P.FastBytes - Most);
}

} // namespace evenkeel
