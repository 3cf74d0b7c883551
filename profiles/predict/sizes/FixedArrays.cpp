//===- FixedArrays.cpp - arrays of fixed size are used further ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an array whose size is fixed when the program is built is as large as
// the largest input needs, and smaller ones use its front: where more accesses
// are predicted for it, they reach further, as long as there is room for that.
// Makes: how much further. Leaves out: arrays that data say where to access.
//===----------------------------------------------------------------------===//
#include "ObjectSizes.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Whether an access goes through the array in the order of its addresses, or
/// stays where it is.
static bool isRegular(const AccessFact &A) {
  return A.Class == "stream" || A.Class == "stencil" ||
         A.Class == "invariant" || A.Class.rfind("strided", 0) == 0;
}

double evenkeel::prediction::fixedArrayStretch(const BaseTables &Base,
                                               const AccessGrowth &Growth,
                                               unsigned LastUsedChunk,
                                               uint32_t Inst) {
  const ek_raw_inst &I = Base.B.Instances[Inst];
  const SiteFact *S = Base.F.site(I.site);
  auto It = Growth.BySite.find(I.site);
  if (!S || (S->Kind != "global" && S->Kind != "static") ||
      It == Growth.BySite.end() || I.bytes < EK_CHUNKS * EK_PAGE)
    return 1;
  for (const AccessFact &A : Base.F.Accesses)
    if (!isRegular(A) &&
        std::find(A.Sites.begin(), A.Sites.end(), I.site) != A.Sites.end())
      return 1;
  const double Ratio = It->second.second / It->second.first;
  // The last chunk may be used in part.
  return Ratio * LastUsedChunk < EK_CHUNKS ? Ratio : 1;
}
