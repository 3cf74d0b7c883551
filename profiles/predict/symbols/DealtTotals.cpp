//===- DealtTotals.cpp - loop totals that share a quantity ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if the iterations of a loop over all tasks of a phase add up to
// exactly the base value of a known quantity, the loop distributes that
// quantity. Only large values count: small ones agree by chance.
// Makes: the quantity of each such loop total.
//===----------------------------------------------------------------------===//
#include "SymbolValues.h"
#include "tuning/Tuning.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

std::unordered_map<uint64_t, uint64_t>
evenkeel::prediction::dealtTotals(const BaseTables &Base,
                                  const ValuesBySymbol &Known) {
  std::map<double, uint64_t> Quantities;
  for (const SymbolFact &X : Base.F.Symbols) {
    auto It = Known.find(X.Id);
    const BaseValues &V = Base.Symbols.at(X.Id);
    if (It != Known.end() && It->second.Program &&
        X.Kind != SymbolFact::Measured && V.First && V.OneValue &&
        *V.First >= figures().LeastTelling)
      Quantities.emplace(*V.First, X.Id);
  }
  std::unordered_map<uint64_t, uint64_t> Out;
  for (const SymbolFact &X : Base.F.Symbols) {
    if (X.Kind != SymbolFact::Measured || Known.count(X.Id))
      continue;
    std::map<uint32_t, double> Totals; // per phase
    for (auto [T, Value] : Base.Symbols.at(X.Id).PerTask)
      Totals[Base.B.Tasks[T].phase] += Value;
    if (Totals.size() != 1)
      continue;
    auto It = Quantities.find(Totals.begin()->second);
    if (It != Quantities.end())
      Out[X.Id] = It->second;
  }
  return Out;
}
