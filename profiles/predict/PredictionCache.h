//===- PredictionCache.h - reuse of an earlier prediction -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a hook learns only a few values, of a few phases, and a few sizes;
// most results of the stages at the previous hook remain valid.
// Makes: the values of all stages for what is known now, recomputed only if
// something on which they depend has changed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_PREDICTIONCACHE_H
#define EVENKEEL_PROFILES_PREDICT_PREDICTIONCACHE_H

#include "Stages.h"

namespace evenkeel {
namespace prediction {

/// Not thread-safe.
class PredictionCache {
  const PredictionTables &Tables;
  const Rules Use;
  const double GHz;
  // The first stage: its input, its values, and the growth of accesses that
  // follows. No growth: it must be recomputed.
  std::shared_ptr<const SeenValues> Seen;
  SymbolValues Given;
  std::optional<AccessGrowth> Growth;
  // The later stages: counts of all values, and the ratios that remain valid;
  // lines of finished phases, as last predicted.
  TargetCounts Counts;
  RatiosOfTasks Ratios;
  FetchesOfTasks Fetched;
  Shapes Known;

  void learn(const std::vector<KnownSymbol> &Symbols, bool KnowsSizes);

public:
  /// \p Tables must outlive the cache.
  PredictionCache(const PredictionTables &Tables, const Rules &Use, double GHz);

  /// The same as TargetPredictor::predict, except for the fast memory.
  Problem predict(const std::vector<PredictedInstance> &KnownSizes,
                  uint32_t From, const std::vector<KnownSymbol> &Symbols);
};

} // namespace prediction
} // namespace evenkeel

#endif
