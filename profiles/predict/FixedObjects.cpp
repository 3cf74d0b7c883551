//===- FixedObjects.cpp - objects that no plan moves ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FixedObjects.h.
//===----------------------------------------------------------------------===//
#include "FixedObjects.h"
#include "format/Allocators.h"
#include <algorithm>

namespace evenkeel {

static PredictedInstance::FixedType kindOf(const PredictedInstance &I,
                                           const SiteFact *S) {
  if (!I.Site)
    return PredictedInstance::Unnamed;
  if (EK_RAW_IS_SMALL(I.Ordinal))
    return PredictedInstance::Small;
  if (!S)
    return PredictedInstance::Free;
  if (S->onStack())
    return PredictedInstance::OnStack;
  const Allocator *A = findAllocator(S->Kind);
  return A && A->From == AllocatorOrigin::Chosen ? PredictedInstance::TierChosen
                                                 : PredictedInstance::Free;
}

void fixObjects(Problem &P, const Facts &F) {
  bool Chosen = false;
  for (PredictedInstance &I : P.Instances) {
    I.Fixed = kindOf(I, F.site(I.Site));
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
