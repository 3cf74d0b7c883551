//===- known.h - what the program has handed over so far --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values (values.h) and totals of loops (totals.h) that the program
// has handed over since its start, and what they say about the plan's symbols.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_KNOWN_H
#define EVENKEEL_RUNTIME_KNOWN_H

#include "predict/LatestTotals.h"
#include "problem/ToldValues.h"

namespace evenkeel {

/// Not thread-safe.
class KnownValues {
  std::vector<ToldValue> Told; // by the program, so far
  LatestTotals Totals;
  std::vector<KnownSymbol> Known; // at the last look

public:
  /// Takes what was handed over since the last look. Returns whether more is
  /// known now, or something else.
  bool take(const Facts &F, const TargetPredictor &Predictor);
  const std::vector<KnownSymbol> &symbols() const { return Known; }
};

} // namespace evenkeel

#endif
