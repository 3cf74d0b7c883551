//===- PredictionCache.h - what of a prediction still holds -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a hook learns a few values, of a few phases, and a few sizes; most of
// what the stages made at the hook before still holds.
// Makes: the values of all stages for what is known by now, each made again
// only where something that it depends on changed.
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
  // Of the first stage, before any size is known: what it went by, its values,
  // its counts and what these tell. No growth: some of it is new.
  std::shared_ptr<const SeenValues> Seen;
  Owners Who;
  SymbolValues Given;
  TargetCounts GivenCounts;
  std::optional<AccessGrowth> Growth;
  // Of the later ones: counts of all values, and those of their ratios that
  // hold; lines of phases that are over, as they were last predicted.
  TargetCounts Counts;
  RatiosOfTasks Ratios;
  FetchesOfTasks Fetched;
  Shapes Known;

  void learn(const std::vector<KnownSymbol> &Symbols, bool KnowsSizes);

public:
  /// \p Tables must outlive the cache.
  PredictionCache(const PredictionTables &Tables, const Rules &Use, double GHz);

  /// As TargetPredictor::predict, but for the fast memory.
  Problem predict(const std::vector<PredictedInstance> &KnownSizes,
                  uint32_t From, const std::vector<KnownSymbol> &Symbols);
  /// As TargetPredictor::learn.
  bool learn(const Owners &Now);
  const Owners &owners() const { return Who; }
};

} // namespace prediction
} // namespace evenkeel

#endif
