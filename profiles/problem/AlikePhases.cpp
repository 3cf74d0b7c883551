//===- AlikePhases.cpp - groups of equal phases ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AlikePhases.h. Loops repeat their phases in the same order, so the group
// that followed the previous one last time is tried first.
//===----------------------------------------------------------------------===//
#include "AlikePhases.h"
#include <map>
#include <tuple>

using namespace evenkeel;

AlikePhases::AlikePhases(
    const Problem &P, uint32_t From,
    const std::function<uint64_t(const PredictedPhase &)> &Tag)
    : Of(P.Phases.size(), None) {
  std::vector<uint64_t> Tags;       // by group
  std::vector<uint32_t> Next{None}; // by group, and one for the beginning
  using Key = std::tuple<const void *, const void *, const void *, uint64_t,
                         unsigned, uint32_t, uint64_t>;
  std::map<Key, uint32_t> Known;
  auto IsOf = [&](uint32_t G, const PredictedPhase &H, uint64_t Its) {
    const PredictedPhase &X = P.Phases[First[G]];
    return X.Tasks.id() == H.Tasks.id() && X.Region == H.Region &&
           X.Kind == H.Kind && X.Workers == H.Workers &&
           X.Gathered.id() == H.Gathered.id() &&
           X.Scattered.id() == H.Scattered.id() && Tags[G] == Its;
  };
  size_t Last = 0; // of Next
  for (uint32_t I = 0; I < P.Phases.size(); ++I) {
    const PredictedPhase &H = P.Phases[I];
    if (H.Phase < From)
      continue;
    const uint64_t Its = Tag ? Tag(H) : 0;
    uint32_t G = Next[Last];
    if (G == None || !IsOf(G, H, Its)) {
      G = Known
              .try_emplace({H.Tasks.id(), H.Gathered.id(), H.Scattered.id(),
                            H.Region, H.Workers, H.Kind, Its},
                           uint32_t(First.size()))
              .first->second;
      if (G == First.size()) {
        First.push_back(I);
        Count.push_back(0);
        Tags.push_back(Its);
        Next.push_back(None);
      }
      Next[Last] = G;
    }
    Of[I] = G;
    ++Count[G];
    Last = G + 1;
  }
}
