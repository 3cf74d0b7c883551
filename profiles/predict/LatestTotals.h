//===- LatestTotals.h - totals of loops that hold from now on ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the totals of loops that threads handed over after phases (ek_total).
// Makes: the known symbols that a hook's planner is given, for the runtime and
// for replay, so that both know the same: of each kind of phase, the last ones.
// Not here: values that are handed over before regions (problem/ToldValues.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_LATESTTOTALS_H
#define EVENKEEL_PROFILES_PREDICT_LATESTTOTALS_H

#include "TargetPredictor.h"
#include <map>
#include <tuple>

namespace evenkeel {

class LatestTotals {
  /// By kind of phase, symbol and thread.
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, KnownSymbol> Of;

public:
  /// Adds a total of a thread in a phase that has ended; phases come in order.
  void add(const TargetPredictor &Predictor, const KnownSymbol &Total) {
    const uint32_t Kind = Predictor.kindOf(Total.Phase);
    if (Kind != AnyKind)
      Of[{Kind, Total.Symbol, Total.Task}] = Total;
  }
  void appendTo(std::vector<KnownSymbol> &Out) const {
    for (const auto &Entry : Of)
      Out.push_back(Entry.second);
  }
};

} // namespace evenkeel

#endif
