//===- PhaseKinds.cpp - kinds of phases by their arguments ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: on the base input a loop nest calls a region repeatedly with the same
// values (the elements of one colour, the planes of one direction), alternating
// with other values. With the same values, a team does the same work on the
// same data.
// Makes: a number for each phase of a team, equal for phases that end at the
// same sync point with the same values in each task; and whether kinds of
// phases alternate at that sync point.
// If a value is an iteration number, no two phases are alike.
// Not here: what follows for values of symbols (symbols/Values.cpp), and for
// measured times and samples (measured/).
//===----------------------------------------------------------------------===//
#include "Digest.h"
#include "Tables.h"
#include "problem/Problem.h"
#include <algorithm>
#include <tuple>

using namespace evenkeel;

using namespace evenkeel::prediction;

/// Digests of the values passed to the tasks of each phase, independent of the
/// order of rows.
static std::vector<Digest> handedTo(const Profile &B,
                                    const BaseSymbols &Symbols) {
  std::vector<Digest> Handed(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    for (uint64_t X : {uint64_t(T.index), T.region, uint64_t(T.flags & 1)})
      Handed[T.phase].add(X);
  std::vector<uint32_t> Rows;
  for (uint32_t K = 0; K < B.Symbols.size(); ++K) {
    const ek_raw_symbol &S = B.Symbols[K];
    const SymbolFact *Fact = Symbols.at(S.symbol).Fact;
    if (S.task != EK_NO_TASK && S.times && Fact &&
        Fact->Kind != SymbolFact::Measured)
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
  return Handed;
}

PhaseKinds evenkeel::prediction::makePhaseKinds(const Profile &B,
                                                const PhaseTable &Phases,
                                                const BaseSymbols &Symbols,
                                                const Rules &Use) {
  PhaseKinds Out;
  Out.Of.assign(B.Phases.size(), AnyKind);
  Out.TakesTurns.resize(B.Phases.size());
  if (!Use.PhaseKinds)
    return Out;
  const std::vector<Digest> Handed = handedTo(B, Symbols);
  std::map<std::pair<uint64_t, std::pair<uint64_t, uint64_t>>, uint32_t> Kinds;
  struct Turns {
    std::set<uint32_t> Kinds;
    unsigned Phases = 0;
  };
  std::map<uint64_t, Turns> AtSync;
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    const ek_raw_phase &Phase = B.Phases[H];
    if (Phase.kind != 1)
      continue;
    if (!Phases.stands(H)) {
      Out.Of[H] = Out.Of[Phases.Like[H]];
      continue;
    }
    Out.Of[H] =
        Kinds.try_emplace({Phase.sync, Handed[H].value()}, Kinds.size() + 1)
            .first->second;
    Turns &Its = AtSync[Phase.sync];
    Its.Kinds.insert(Out.Of[H]);
    Its.Phases += unsigned(Phases.Times[H]);
  }
  // Several kinds, some of which repeat.
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    if (Out.Of[H] != AnyKind && Phases.stands(H)) {
      const Turns &Its = AtSync[B.Phases[H].sync];
      Out.TakesTurns[H] = Its.Kinds.size() > 1 && Its.Phases > Its.Kinds.size();
    }
  return Out;
}
