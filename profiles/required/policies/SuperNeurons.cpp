//===- SuperNeurons.cpp - results of heavy steps are copied out -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Wang et al., "SuperNeurons: Dynamic GPU Memory Management for
// Training Deep Neural Networks", PPoPP 2018. Results of checkpoints
// (convolutions) are copied out beside the next steps, and come back when the
// checkpoint before the step that needs them starts. Results of cheap steps
// stay; the paper drops and recomputes them, which is left out here, so they
// are evicted where there is no room, the one that is needed last first (the
// paper's tensor cache: the one that was used longest ago). Memory comes from a
// best-fit pool. As in the paper's cache, nothing leaves if everything fits.
// Settings:
//   order  0 as written, 2 depth first
//   heavy  a step is heavy from this multiple of the mean time of a step on
//===----------------------------------------------------------------------===//
#include "Policy.h"
#include "Steps.h"

namespace evenkeel::required {

const std::vector<Tunable> &tunablesOfSuperNeurons() {
  static const std::vector<Tunable> T = {
      {"order", 0, {0, 2}, "0 as written, 2 depth first"},
      {"heavy", 1, {0.5, 1, 2}, "least time of a heavy step, in mean times"}};
  return T;
}

Schedule makeSuperNeurons(const TaskGraph &G, const FastMemory &Fast,
                          const Settings &Set) {
  auto Value = [&](const char *Name) {
    return settingOf(Set, tunablesOfSuperNeurons(), Name);
  };
  Schedule S = oneAhead(G, orderByNumber(G, unsigned(Value("order"))));
  S.Pool = PoolKind::BestFit;
  const std::vector<bool> Heavy = heavySteps(G, Value("heavy"));
  // Data may come once the last heavy step before its own has started.
  uint32_t Since = 0;
  for (uint32_t P = 0; P < S.Steps.size(); ++P) {
    S.After[P] = Since;
    if (Heavy[S.Steps[P]])
      Since = P + 1;
  }
  if (peakBytes(G, S.Steps) <= Fast.Bytes)
    return S;
  const LiveRanges Live = liveRanges(G, S.Steps);
  std::vector<bool> FromHeavy(G.Data.size(), false);
  for (uint32_t P = 0; P < S.Steps.size(); ++P)
    for (uint32_t I = 0; I < S.Leaves[P].size(); ++I) {
      const Use &U = G.Steps[S.Steps[P]].Uses[I];
      if (U.Writes)
        FromHeavy[U.Datum] = Heavy[S.Steps[P]];
      const UseInOrder &At = Live.at(G, S.Steps, P, I);
      S.Leaves[P][I] = FromHeavy[U.Datum] && At.LiveAfter &&
                       (At.NextUse == Never || S.After[At.NextUse] > P + 1);
    }
  return S;
}

} // namespace evenkeel::required
