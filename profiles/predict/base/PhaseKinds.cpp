//===- PhaseKinds.cpp - phases that were handed the same ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: on the base input a loop nest calls a region again with the values
// that it called it with before (the elements of one colour, the planes of one
// direction), in turn with others. What a team did with the same values it does
// again, to the same parts of its data.
// Makes: a number for each phase of a team, the same for those that end at the
// same sync point with the same values in each of their tasks; and whether they
// take turns with others of that sync point.
// Leaves out: what becomes of that (Values.cpp, Tasks.cpp, TaskTypes.h,
// Samples.h). Where a value counts iterations, no two phases are alike.
//===----------------------------------------------------------------------===//
#include "Digest.h"
#include "predict/Extrapolator.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

void Extrapolator::findPhaseKinds() {
  std::vector<Digest> Handed(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    for (uint64_t X : {uint64_t(T.index), T.region, uint64_t(T.flags & 1)})
      Handed[T.phase].add(X);
  // By phase, task and symbol, whatever the order of the rows.
  std::vector<uint32_t> Rows;
  for (uint32_t K = 0; K < B.Symbols.size(); ++K) {
    const ek_raw_symbol &S = B.Symbols[K];
    const SymbolFact *Fact = Base[S.symbol].Fact;
    if (S.task != EK_NO_TASK && S.times && Fact && Fact->Kind != "measured")
      Rows.push_back(K);
  }
  std::sort(Rows.begin(), Rows.end(), [&](uint32_t X, uint32_t Y) {
    const ek_raw_symbol &S = B.Symbols[X], &T = B.Symbols[Y];
    return std::tie(S.task, S.symbol) < std::tie(T.task, T.symbol);
  });
  for (uint32_t K : Rows) {
    const ek_raw_symbol &S = B.Symbols[K];
    Digest &Of = Handed[B.Tasks[S.task].phase];
    for (uint64_t X :
         {uint64_t(B.Tasks[S.task].index), S.symbol, uint64_t(S.first),
          uint64_t(S.last), uint64_t(S.min), uint64_t(S.max)})
      Of.add(X);
  }
  std::map<std::pair<uint64_t, std::pair<uint64_t, uint64_t>>, uint32_t> Kinds;
  struct Turns {
    std::set<uint32_t> Kinds;
    unsigned Phases = 0;
  };
  std::map<uint64_t, Turns> AtSync;
  PhaseKind.assign(B.Phases.size(), AnyKind);
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    const ek_raw_phase &Phase = B.Phases[H];
    if (Phase.kind != 1)
      continue;
    if (!stands(H)) {
      PhaseKind[H] = PhaseKind[Like[H]];
      continue;
    }
    PhaseKind[H] =
        Kinds.try_emplace({Phase.sync, Handed[H].value()}, Kinds.size() + 1)
            .first->second;
    Turns &Its = AtSync[Phase.sync];
    Its.Kinds.insert(PhaseKind[H]);
    Its.Phases += unsigned(Times[H]);
  }
  // Several kinds, of which some come again.
  TakesTurns.resize(B.Phases.size());
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    if (PhaseKind[H] != AnyKind && stands(H)) {
      const Turns &Its = AtSync[B.Phases[H].sync];
      TakesTurns[H] = Its.Kinds.size() > 1 && Its.Phases > Its.Kinds.size();
    }
}

} // namespace extrapolation
} // namespace evenkeel
