//===- known.cpp - what the program has handed over so far ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See known.h.
//===----------------------------------------------------------------------===//
#include "hooks/replan/known.h"
#include "hooks/replan/totals.h"

#include <algorithm>
#include <iterator>
#include <tuple>

using namespace evenkeel;

/// The number of values that are remembered; the latest ones are kept.
static constexpr size_t MostTold = 1 << 16;

static bool isSame(const KnownSymbol &A, const KnownSymbol &B) {
  return std::tie(A.Symbol, A.Phase, A.Task, A.Value) ==
         std::tie(B.Symbol, B.Phase, B.Task, B.Value);
}

bool KnownValues::take(const Facts &F, const TargetPredictor &Predictor) {
  ek_value_told Some[256];
  while (const size_t Count = ek_values_take(Some, std::size(Some)))
    for (size_t I = 0; I < Count; ++I)
      addTold(Told, F, {Some[I].symbol, double(Some[I].value), Some[I].phase});
  if (Told.size() > MostTold)
    Told.erase(Told.begin(), Told.end() - MostTold);
  std::vector<KnownSymbol> Now = knownSymbols(F, Told);
  while (const size_t Count = ek_totals_take(Some, std::size(Some)))
    for (size_t I = 0; I < Count; ++I)
      Totals.add(Predictor, {Some[I].symbol, double(Some[I].value),
                             Some[I].phase, Some[I].task});
  Totals.appendTo(Now);
  std::swap(Known, Now);
  return !std::equal(Known.begin(), Known.end(), Now.begin(), Now.end(),
                     isSame);
}
