//===- Vdnn.cpp - vDNN: a barrier at each step ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Rhu et al., "vDNN: Virtualized Deep Neural Networks for Scalable,
// Memory-Efficient Neural Network Design", MICRO 2016. While a layer runs, its
// input is copied out if no later layer of the same pass reads it, and the data
// of the next layer is copied in; layer and copies are synchronised before the
// next layer starts. Memory comes from a best-fit pool (CNMeM). As in vDNN_dyn,
// nothing is copied out if everything fits. Settings:
//   order  0 as written, 2 depth first (the paper has chains)
//   heavy  0 all inputs leave (vDNN_all), 1 those of heavy steps (vDNN_conv)
//===----------------------------------------------------------------------===//
#include "Policy.h"
#include "Steps.h"

namespace evenkeel::required {

const std::vector<Tunable> &tunablesOfVdnn() {
  static const std::vector<Tunable> T = {
      {"order", 0, {0, 2}, "0 as written, 2 depth first"},
      {"heavy", 0, {0, 1}, "1 = only inputs of heavy steps are copied out"}};
  return T;
}

Schedule makeVdnn(const TaskGraph &G, const FastMemory &Fast,
                  const Settings &Set) {
  auto Value = [&](const char *Name) {
    return settingOf(Set, tunablesOfVdnn(), Name);
  };
  Schedule S = oneAhead(G, orderByNumber(G, unsigned(Value("order"))));
  S.Barrier = true;
  S.Pool = PoolKind::BestFit;
  if (peakBytes(G, S.Steps) <= Fast.Bytes)
    return S;
  const std::vector<bool> Heavy = heavySteps(G, 1);
  const LiveRanges Live = liveRanges(G, S.Steps);
  for (uint32_t P = 0; P < S.Steps.size(); ++P)
    for (uint32_t I = 0; I < S.Leaves[P].size(); ++I) {
      const UseInOrder &U = Live.at(G, S.Steps, P, I);
      S.Leaves[P][I] = U.LiveAfter && U.NextUse > P + 1 &&
                       G.Steps[S.Steps[P]].Uses[I].Needs &&
                       (Value("heavy") == 0 || Heavy[S.Steps[P]]);
    }
  return S;
}

} // namespace evenkeel::required
