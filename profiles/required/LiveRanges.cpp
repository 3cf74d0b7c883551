//===- LiveRanges.cpp - when the contents of a datum are needed -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LiveRanges.h.
//===----------------------------------------------------------------------===//
#include "LiveRanges.h"
#include <algorithm>

namespace evenkeel::required {

LiveRanges liveRanges(const TaskGraph &G, const std::vector<uint32_t> &Order) {
  LiveRanges Out;
  Out.OfDatum.resize(G.Data.size());
  Out.Ordinal.resize(Order.size());
  for (uint32_t P = 0; P < Order.size(); ++P) {
    const std::vector<Use> &Uses = G.Steps[Order[P]].Uses;
    for (uint32_t I = 0; I < Uses.size(); ++I) {
      std::vector<UseInOrder> &Of = Out.OfDatum[Uses[I].Datum];
      Out.Ordinal[P].push_back(uint32_t(Of.size()));
      Of.push_back({P, I});
    }
  }
  for (uint32_t D = 0; D < G.Data.size(); ++D) {
    bool Live = G.Data[D].Output;
    uint32_t Next = Never, Left = 0;
    for (auto U = Out.OfDatum[D].rbegin(); U != Out.OfDatum[D].rend(); ++U) {
      U->LiveAfter = Live;
      U->NextUse = Next;
      U->UsesLeft = Left++;
      Next = U->Position;
      Live = G.Steps[Order[U->Position]].Uses[U->Index].Needs;
    }
  }
  return Out;
}

uint64_t peakBytes(const TaskGraph &G, const std::vector<uint32_t> &Order) {
  const LiveRanges Live = liveRanges(G, Order);
  std::vector<bool> In(G.Data.size(), false);
  uint64_t Now = 0, Peak = 0;
  for (uint32_t P = 0; P < Order.size(); ++P) {
    const std::vector<Use> &Uses = G.Steps[Order[P]].Uses;
    for (const Use &U : Uses)
      if (!In[U.Datum]) {
        In[U.Datum] = true;
        Now += G.Data[U.Datum].Bytes;
      }
    Peak = std::max(Peak, Now);
    for (uint32_t I = 0; I < Uses.size(); ++I)
      if (!Live.at(G, Order, P, I).LiveAfter) {
        In[Uses[I].Datum] = false;
        Now -= G.Data[Uses[I].Datum].Bytes;
      }
  }
  return Peak;
}

} // namespace evenkeel::required
