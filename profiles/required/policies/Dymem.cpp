//===- Dymem.cpp - Dymem: depth first, two heavy steps ahead --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Yang 2022 (dissertation, UNC Charlotte), chapter 4: algorithm 2
// (depth first), algorithm 3 (the prefetch search: the coming steps are walked
// in order, the data of at most two heavy ones is copied in ahead, that of
// cheap ones without limit), algorithm 4 (the GTBM pool). Copies need no
// barrier. Data that is not among those ahead is copied out after its use;
// small data never is (it is reclaimed data of the pool). Nothing is copied out
// if everything fits. Settings:
//   ahead  heavy steps whose data is copied in ahead; the paper's value is 2
//   heavy  a step is heavy from this multiple of the mean time of a step on
//   small  data below this share of fast memory is small
//===----------------------------------------------------------------------===//
#include "Policy.h"
#include "Steps.h"
#include <algorithm>

namespace evenkeel::required {

const std::vector<Tunable> &tunablesOfDymem() {
  static const std::vector<Tunable> T = {
      {"ahead", 2, {1, 2, 4}, "heavy steps ahead whose data is copied in"},
      {"heavy", 1, {0.5, 1, 2}, "least time of a heavy step, in mean times"},
      {"small",
       0.001,
       {0, 0.001},
       "share of fast memory below which data stays"}};
  return T;
}

/// Sets the space of reclaimed data: room for all of it, if the largest step
/// still fits beside it and it takes no more than a tenth of fast memory.
static void reclaim(const TaskGraph &G, uint64_t Fast, double Share,
                    Schedule &S) {
  const uint64_t Below = uint64_t(Share * double(Fast));
  uint64_t Small = 0, Largest = 0;
  for (const Datum &D : G.Data)
    Small += D.Bytes < Below ? D.Bytes : 0;
  for (uint32_t Step = 0; Step < G.Steps.size(); ++Step)
    Largest = std::max(Largest, G.bytesOf(Step));
  if (Small > Fast / 10 || Small + Largest > Fast)
    return;
  S.SmallBytes = Below;
  S.ReclaimedBytes = Small;
}

Schedule makeDymem(const TaskGraph &G, const FastMemory &Fast,
                   const Settings &Set) {
  auto Value = [&](const char *Name) {
    return settingOf(Set, tunablesOfDymem(), Name);
  };
  Schedule S = oneAhead(G, depthFirst(G));
  const std::vector<bool> Heavy = heavySteps(G, Value("heavy"));
  // Of the steps behind the one that runs, at most `ahead` may be heavy.
  std::vector<uint32_t> HeavyAt;
  const size_t Ahead = size_t(Value("ahead"));
  for (uint32_t P = 0; P < S.Steps.size(); ++P) {
    if (Heavy[S.Steps[P]])
      HeavyAt.push_back(P);
    S.After[P] = HeavyAt.size() > Ahead
                     ? std::min(P, HeavyAt[HeavyAt.size() - 1 - Ahead] + 1)
                     : 0;
  }
  if (peakBytes(G, S.Steps) <= Fast.Bytes)
    return S;
  reclaim(G, Fast.Bytes, Value("small"), S);
  const LiveRanges Live = liveRanges(G, S.Steps);
  for (uint32_t P = 0; P < S.Steps.size(); ++P)
    for (uint32_t I = 0; I < S.Leaves[P].size(); ++I) {
      const UseInOrder &U = Live.at(G, S.Steps, P, I);
      const Datum &D = G.Data[G.Steps[S.Steps[P]].Uses[I].Datum];
      S.Leaves[P][I] = U.LiveAfter && D.Bytes >= S.SmallBytes &&
                       (U.NextUse == Never || S.After[U.NextUse] > P + 1);
    }
  return S;
}

} // namespace evenkeel::required
