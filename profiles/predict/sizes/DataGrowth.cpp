//===- DataGrowth.cpp - common growth of data -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: static arrays, small tables and the blocks of memory pools keep their
// sizes; large heap blocks are data and grow together.
// Makes: the growth of all data whose size on the target is known.
//===----------------------------------------------------------------------===//
#include "ObjectSizes.h"
#include "tuning/Tuning.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

bool evenkeel::prediction::isData(const Facts &F, const PredictedInstance &N,
                                  double OldBytes) {
  const SiteFact *S = F.site(N.Site);
  const bool Small = EK_RAW_IS_SMALL(N.Ordinal) && N.Ordinal != EK_RAW_SMALL;
  return S && OldBytes >= (Small ? figures().LeastData : LargeBytes) &&
         !S->isStatic() && !S->onStack() &&
         (!EK_RAW_IS_SMALL(N.Ordinal) || S->Size || !S->Sizes.empty());
}

std::optional<double>
evenkeel::prediction::dataGrowth(const Facts &F, const SymbolValues &Given,
                                 const ObjectSizes &Sizes,
                                 const std::vector<double> &OldBytes) {
  double Old = 0, New = 0;
  for (size_t I = 0; I < Sizes.Instances.size(); ++I) {
    const PredictedInstance &N = Sizes.Instances[I];
    if (isData(F, N, OldBytes[I]) && !EK_RAW_IS_SMALL(N.Ordinal) &&
        isSized(Given, Sizes.Way[I])) {
      Old += OldBytes[I];
      New += N.Bytes;
    }
  }
  return Old > 0 && New > 0 ? std::optional<double>(New / Old) : std::nullopt;
}
