//===- Namesakes.cpp - symbols with the same name -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a symbol with the same name and the same base value in another
// function is assumed to be the same quantity, passed on.
// Makes: values of such symbols, if all namesakes with a value agree.
//===----------------------------------------------------------------------===//
#include "SymbolValues.h"
#include "predict/base/Quantity.h"
#include <set>

using namespace evenkeel;
using namespace evenkeel::prediction;

void evenkeel::prediction::addNamesakes(const BaseTables &Base,
                                        ValuesBySymbol &Known) {
  std::vector<std::pair<uint64_t, double>> Inherit;
  for (const SymbolFact &X : Base.F.Symbols) {
    const BaseValues &V = Base.Symbols.at(X.Id);
    if (Known.count(X.Id) || X.Kind == SymbolFact::Measured || isConverted(X) ||
        !V.First || !V.OneValue)
      continue;
    std::set<double> Values;
    for (const SymbolFact &Y : Base.F.Symbols) {
      auto It = Known.find(Y.Id);
      if (It == Known.end() || !It->second.Program ||
          quantity(Y.Name) != quantity(X.Name))
        continue;
      const BaseValues &W = Base.Symbols.at(Y.Id);
      if (W.First && W.OneValue && *W.First == *V.First)
        Values.insert(*It->second.Program);
    }
    if (Values.size() == 1)
      Inherit.emplace_back(X.Id, *Values.begin());
  }
  for (auto [Id, Value] : Inherit) {
    Known[Id].Program = Value;
    Known[Id].Inherited = true;
  }
}
