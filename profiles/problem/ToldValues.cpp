//===- ToldValues.cpp - what handed-over values say -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ToldValues.h.
//===----------------------------------------------------------------------===//
#include "ToldValues.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace evenkeel;

static bool holdsForProgram(const Facts &F, uint64_t Symbol) {
  const SymbolFact *S = F.symbol(Symbol);
  return S && S->Kind == SymbolFact::Given;
}

void evenkeel::addTold(std::vector<ToldValue> &Told, const Facts &F,
                       const ToldValue &Value) {
  // Regions that a program repeats hand the same values over again and again.
  const bool Known =
      holdsForProgram(F, Value.Symbol) &&
      std::any_of(Told.rbegin(), Told.rend(), [&](const ToldValue &T) {
        return T.Symbol == Value.Symbol && T.Value == Value.Value;
      });
  if (!Known)
    Told.push_back(Value);
}

std::vector<KnownSymbol>
evenkeel::knownSymbols(const Facts &F, const std::vector<ToldValue> &Told) {
  // By phase (EK_NO_TASK: the whole program) and symbol; none: several values.
  std::map<std::pair<uint32_t, uint64_t>, std::optional<double>> Values;
  for (const ToldValue &T : Told) {
    if (!F.symbol(T.Symbol))
      continue;
    const uint32_t Phase = holdsForProgram(F, T.Symbol) ? EK_NO_TASK : T.Phase;
    auto [It, New] = Values.try_emplace({Phase, T.Symbol}, T.Value);
    if (It->second != T.Value)
      It->second.reset();
  }
  std::vector<KnownSymbol> Out;
  for (const auto &[Where, Value] : Values)
    if (Value)
      Out.push_back({Where.second, *Value, Where.first});
  return Out;
}
