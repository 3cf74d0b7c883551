//===- Changes.cpp - changed values of symbols ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Changes.h.
//===----------------------------------------------------------------------===//
#include "Changes.h"
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Adds the keys whose values differ between \p Old and \p New.
template <typename MapT>
static void compare(const MapT &Old, const MapT &New, std::set<uint64_t> &Out) {
  for (const auto &[S, V] : New)
    if (auto It = Old.find(S); It == Old.end() || !(It->second == V))
      Out.insert(S);
  for (const auto &[S, V] : Old)
    if (!New.count(S))
      Out.insert(S);
}

/// Adds the phases for which \p New has another value than \p Old, or none.
static void notePhases(const SeenValues &Old, const SeenValues &New,
                       std::set<uint32_t> &Out) {
  for (const auto &[At, Value] : Old.All)
    if (auto It = New.All.find(At); It == New.All.end() || It->second != Value)
      Out.insert(At.Phase);
}

static void addSeen(const PhaseKinds &Kinds, const SeenValues &Old,
                    const SeenValues &New, Changes &Out) {
  notePhases(Old, New, Out.Phases);
  notePhases(New, Old, Out.Phases);
  for (const auto &[Id, V] : New.ByPhase)
    if (!Old.ByPhase.count(Id))
      Out.Symbols.insert(Id);
  for (const auto &[Id, V] : Old.ByPhase)
    if (!New.ByPhase.count(Id))
      Out.Symbols.insert(Id);
  // A value passed to a phase holds for all phases of its kind.
  std::set<uint32_t> Its;
  for (uint32_t H : Out.Phases)
    if (H < Kinds.Of.size() && Kinds.Of[H] != AnyKind)
      Its.insert(Kinds.Of[H]);
  for (uint32_t H = 0; H < Kinds.Of.size() && !Its.empty(); ++H)
    if (Its.count(Kinds.Of[H]))
      Out.Phases.insert(H);
}

Changes evenkeel::prediction::changesBetween(const PhaseKinds &Kinds,
                                             const SymbolValues &Old,
                                             const SymbolValues &New) {
  Changes Out;
  Out.All = Old.knowsTarget() != New.knowsTarget();
  if (Out.All)
    return Out;
  compare(Old.Of, New.Of, Out.Symbols);
  if (Old.Seen != New.Seen)
    addSeen(Kinds, *Old.Seen, *New.Seen, Out);
  return Out;
}

std::vector<uint32_t> evenkeel::prediction::tasksTouched(const BaseTables &Base,
                                                         const Changes &C) {
  std::vector<uint32_t> Out;
  if (C.All) {
    Out.resize(Base.B.Tasks.size());
    std::iota(Out.begin(), Out.end(), 0u);
    return Out;
  }
  auto Add = [&](const auto &Lists, auto Key) {
    if (auto It = Lists.find(Key); It != Lists.end())
      Out.insert(Out.end(), It->second.begin(), It->second.end());
  };
  std::set<uint64_t> Regions;
  for (uint64_t S : C.Symbols)
    if (auto In = Base.Accesses.RegionsWith.find(S);
        In != Base.Accesses.RegionsWith.end())
      Regions.insert(In->second.begin(), In->second.end());
  for (uint64_t Region : Regions)
    Add(Base.Tasks.InRegion, Region);
  for (uint32_t H : C.Phases)
    Add(Base.Tasks.InPhase, H);
  return Out;
}
