//===- LikeTotals.cpp - loop totals with the same values ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop total that has the same values in every task as a total whose
// values on the target are known is the same quantity, counted again in another
// loop (rows walked twice).
// Makes: values of such totals. Not here: totals that are the same in all
// tasks, or that only few tasks have.
//===----------------------------------------------------------------------===//
#include "SymbolValues.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Values by the phase's position among those that have any, and task index.
static std::map<std::pair<uint32_t, uint32_t>, double>
byPhaseAndIndex(const BaseValues &V, const Profile &B) {
  std::map<std::pair<uint32_t, uint32_t>, double> Out;
  std::map<uint32_t, uint32_t> Phases;
  for (auto [Row, Value] : V.PerTask)
    Phases[B.Tasks[Row].phase] = 0;
  uint32_t Place = 0;
  for (auto &Entry : Phases)
    Entry.second = Place++;
  for (auto [Row, Value] : V.PerTask)
    Out[{Phases[B.Tasks[Row].phase], B.Tasks[Row].index}] = Value;
  return Out;
}

void evenkeel::prediction::addLikeTotals(const BaseTables &Base,
                                         ValuesBySymbol &Known) {
  std::vector<std::pair<uint64_t, uint64_t>> Same;
  for (const SymbolFact &X : Base.F.Symbols) {
    const BaseValues &V = Base.Symbols.at(X.Id);
    // With two or more tasks of different counts, a coincidence is unlikely.
    if (X.Kind != SymbolFact::Measured || Known.count(X.Id) ||
        V.PerTask.size() < 2 || V.OneValue)
      continue;
    for (const SymbolFact &Y : Base.F.Symbols) {
      auto It = Known.find(Y.Id);
      if (It == Known.end() || It->second.Inherited ||
          Y.Kind != SymbolFact::Measured)
        continue;
      const BaseValues &W = Base.Symbols.at(Y.Id);
      if (W.PerTask.size() != V.PerTask.size() ||
          byPhaseAndIndex(W, Base.B) != byPhaseAndIndex(V, Base.B))
        continue;
      Same.emplace_back(X.Id, Y.Id);
      break;
    }
  }
  for (auto [To, From] : Same) {
    Known[To] = TargetValues(Known.at(From));
    Known[To].Inherited = true;
  }
}
