//===- PhaseKinds.cpp - phases that were handed the same ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: on the base input a loop nest calls a region again with the values
// that it called it with before (the elements of one colour, the planes of one
// direction), in another order with others. What a team did with the same
// values it does again, to the same parts of its data.
// Makes: a number for each phase of a team, the same for those that end at the
// same sync point with the same values in each of their tasks; and whether
// others end there with others.
// Leaves out: what becomes of that (TaskTypes.h, Samples.h). Where a value
// counts iterations, no two phases are alike.
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

void Extrapolator::findPhaseKinds() {
  using Value = std::tuple<uint32_t, uint64_t, uint64_t, int64_t>;
  std::vector<std::vector<Value>> Handed(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    Handed[T.phase].emplace_back(T.index, T.region, 0, T.flags & 1);
  for (const ek_raw_symbol &S : B.Symbols) {
    const SymbolFact *Fact = Base[S.symbol].Fact;
    if (S.task == EK_NO_TASK || !S.times || !Fact || Fact->Kind == "measured")
      continue;
    const ek_raw_task &T = B.Tasks[S.task];
    Handed[T.phase].emplace_back(T.index, T.region, S.symbol, S.first);
  }
  std::map<std::pair<uint64_t, std::vector<Value>>, uint32_t> Kinds;
  PhaseKind.assign(B.Phases.size(), 0);
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    if (B.Phases[H].kind != 1)
      continue;
    std::sort(Handed[H].begin(), Handed[H].end());
    PhaseKind[H] = Kinds
                       .try_emplace({B.Phases[H].sync, std::move(Handed[H])},
                                    uint32_t(Kinds.size()) + 1)
                       .first->second;
  }
  std::map<uint64_t, std::set<uint32_t>> Of; // by sync point
  for (size_t H = 0; H < PhaseKind.size(); ++H)
    if (PhaseKind[H] != AnyKind)
      Of[B.Phases[H].sync].insert(PhaseKind[H]);
  TakesTurns.resize(B.Phases.size());
  for (size_t H = 0; H < PhaseKind.size(); ++H)
    TakesTurns[H] = PhaseKind[H] != AnyKind && Of[B.Phases[H].sync].size() > 1;
}

} // namespace extrapolation
} // namespace evenkeel
