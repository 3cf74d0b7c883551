//===- PhaseKinds.cpp - the kinds of phases seen so far -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseKinds.h. A phase costs a table look-up and, at the end of an
// iteration, a walk over the last two iterations.
//===----------------------------------------------------------------------===//
#include "PhaseKinds.h"
#include <algorithm>

using namespace ekrec;

static uint64_t hashOf(const PhaseKey &Key) {
  constexpr uint64_t Mix = 0x9E3779B97F4A7C15ull;
  return ((Key.Before * Mix ^ Key.Sync) * Mix ^ Key.Region) * Mix;
}

static bool equal(const PhaseKey &A, const PhaseKey &B) {
  return A.Before == B.Before && A.Sync == B.Sync && A.Region == B.Region;
}

bool PhaseKinds::grow() {
  Vec<uint32_t> Larger;
  if (!Larger.extend(Table.empty() ? 64 : Table.size() * 2))
    return false;
  for (uint32_t K = 0; K < Kinds.size(); ++K) {
    size_t I = hashOf(Kinds[K].Key) >> 20 & (Larger.size() - 1);
    while (Larger[I])
      I = (I + 1) & (Larger.size() - 1);
    Larger[I] = K + 1;
  }
  Table.release();
  Table = Larger;
  return true;
}

/// The index of the kind, added if new; ~0: no memory.
uint32_t PhaseKinds::kindOf(const PhaseKey &Key) {
  if (Kinds.size() * 2 >= Table.size() && !grow())
    return ~0u;
  size_t I = hashOf(Key) >> 20 & (Table.size() - 1);
  for (; Table[I]; I = (I + 1) & (Table.size() - 1))
    if (equal(Kinds[Table[I] - 1].Key, Key))
      return Table[I] - 1;
  if (!Kinds.push({Key, 0, 0, 0, 0, {}}))
    return ~0u;
  Table[I] = static_cast<uint32_t>(Kinds.size());
  return Table[I] - 1;
}

/// What is missing at the end of the current iteration.
uint32_t PhaseKinds::judge() const {
  if (Heaviest == ~0u)
    return Repeats ? EK_UNSEEN_ALIKE : EK_UNSEEN_REPEATS;
  if (double(SeenTotal) < MostOfAll * double(Total))
    return EK_UNSEEN_MOST;
  const uint32_t From = Kinds[Heaviest].Last[Enough - 1] + 1;
  uint64_t All = 0, Seen = 0;
  for (size_t P = From; P < Phases.size(); ++P) {
    All += Phases[P].Cycles;
    Seen += Kinds[Phases[P].Kind].isSeen() ? Phases[P].Cycles : 0;
  }
  if (double(Seen) < MostOfIteration * double(All))
    return EK_UNSEEN_MOST;
  return Total < LeastCycles ? EK_UNSEEN_SHORT : EK_UNSEEN_NOTHING;
}

uint32_t PhaseKinds::missing() const {
  if (Missing != EK_UNSEEN_MOST)
    return Missing;
  uint64_t Changing = 0; // of kinds that occurred often enough
  for (const Kind &K : Kinds)
    Changing += K.Times >= Enough && !K.isSeen() ? K.Total : 0;
  return 2 * Changing > Total - SeenTotal ? EK_UNSEEN_ALIKE : EK_UNSEEN_MOST;
}

void PhaseKinds::ended(const PhaseKey &Key, const PhaseWork &Work) {
  const uint32_t Now = kindOf(Key);
  const uint32_t Number = static_cast<uint32_t>(Phases.size());
  if (Now == ~0u || !Phases.push({Now, Work.Cycles})) {
    EndsIteration = false; // without memory, the record continues
    return;
  }
  Kind &K = Kinds[Now];
  const bool WasSeen = K.isSeen();
  const auto [Smaller, Larger] =
      std::minmax<uint64_t>(Work.Instructions, K.Instructions);
  const bool Goes =
      K.Times && double(Larger - Smaller) <= Alike * double(Larger);
  K.Row = Goes ? K.Row + 1 : 1;
  K.Instructions = Goes ? K.Instructions : Work.Instructions;
  ++K.Times;
  K.Total += Work.Cycles;
  for (unsigned I = Enough - 1; I > 0; --I)
    K.Last[I] = K.Last[I - 1];
  K.Last[0] = Number;
  Total += Work.Cycles;
  Repeats |= K.Times >= Enough;
  if (K.isSeen())
    SeenTotal += WasSeen ? Work.Cycles : K.Total;
  else if (WasSeen)
    SeenTotal -= K.Total - Work.Cycles;
  if (K.isSeen()) {
    if (Heaviest == ~0u || K.Total > Kinds[Heaviest].Total)
      Heaviest = Now;
  } else if (Heaviest == Now) {
    Heaviest = ~0u;
    for (uint32_t I = 0; I < Kinds.size(); ++I)
      if (Kinds[I].isSeen() &&
          (Heaviest == ~0u || Kinds[I].Total > Kinds[Heaviest].Total))
        Heaviest = I;
  }
  EndsIteration = Now == Heaviest;
  if (EndsIteration || Heaviest == ~0u)
    Missing = judge();
}
