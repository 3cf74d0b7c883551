//===- Planned.cpp - the placement by a plan ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Planned.h.
//===----------------------------------------------------------------------===//
#include "Planned.h"
#include "FirstTouch.h"
#include "Fixed.h"
#include "format/plan/PlanIndex.h"

using namespace evenkeel;

std::vector<double> evenkeel::sharesOf(const Problem &P, const Plan &X) {
  if (X.KeepsFirstTouch)
    return firstTouchShares(P);
  const PlanIndex Entries(X.Objects);
  std::vector<double> Out(P.Units.size(), 0.0);
  for (size_t U = 0; U < P.Units.size(); ++U) {
    const Unit &Where = P.Units[U];
    const PredictedInstance &I = P.Instances[Where.Instance];
    const PlanObject *O = Entries.find(nameOf(I));
    if (!O || Where.To <= Where.From)
      continue;
    if (O->Ranges.empty())
      Out[U] = O->Share;
    for (const PlanRange &G : O->Ranges) {
      unsigned From = std::max(G.From, Where.From);
      unsigned To = std::min(G.To, Where.To);
      if (To > From)
        Out[U] += G.Share * (To - From) / (Where.To - Where.From);
    }
  }
  completeShares(P, Out);
  return Out;
}
