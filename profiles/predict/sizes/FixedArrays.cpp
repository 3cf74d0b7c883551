//===- FixedArrays.cpp - use of fixed-size arrays -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an array whose size is fixed at build time is as large as the largest
// input needs, and smaller inputs use its front. If more accesses are predicted
// for it, they reach further, up to its end.
// Makes: how much further. Not here: arrays whose accesses depend on data.
//===----------------------------------------------------------------------===//
#include "ObjectSizes.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Whether an access walks through the array in address order, or does not
/// move.
static bool isRegular(const AccessFact &A) {
  return A.Class == AccessFact::Stream || A.Class == AccessFact::Stencil ||
         A.Class == AccessFact::Invariant || A.Class == AccessFact::Strided;
}

double evenkeel::prediction::fixedArrayStretch(const BaseTables &Base,
                                               const AccessGrowth &Growth,
                                               unsigned LastUsedChunk,
                                               uint32_t Inst) {
  const ek_raw_inst &I = Base.B.Instances[Inst];
  const SiteFact *S = Base.F.site(I.site);
  auto It = Growth.BySite.find(I.site);
  if (!S || !S->isStatic() || It == Growth.BySite.end() ||
      I.bytes < EK_CHUNKS * EK_PAGE)
    return 1;
  for (const AccessFact &A : Base.F.Accesses)
    if (!isRegular(A) &&
        std::find(A.Sites.begin(), A.Sites.end(), I.site) != A.Sites.end())
      return 1;
  const double Ratio = It->second.second / It->second.first;
  // The last chunk may be partly used.
  return Ratio * LastUsedChunk < EK_CHUNKS ? Ratio : 1;
}
