//===- TargetPredictor.h - a target as it gets known ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the base profile and what is given for the target do not change while
// a run goes on; sizes get known. What follows from the first is worked out
// once, so that a hook pays for the second alone.
// Makes: a Problem each time.
// Leaves out: what measured times and samples tell (Locality.h, Samples.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TARGETPREDICTOR_H
#define EVENKEEL_PROFILES_PREDICT_TARGETPREDICTOR_H

#include "predict/measured/Owners.h"

namespace evenkeel {

/// Not thread-safe.
class TargetPredictor {
  struct State;
  std::unique_ptr<State> Its;

public:
  /// What \p R points to must live as long; its KnownSizes, KnownSymbols and
  /// Measured are not looked at.
  explicit TargetPredictor(const PlanRequest &R);
  ~TargetPredictor();

  /// \p KnownSizes: of the instances that exist by now. Of phases before
  /// \p From there are only those tasks that measured ones are compared with.
  /// \p KnownSymbols: of which a value has been seen by now. Demands are those
  /// of the base's threads on what is theirs: see dealOut.
  Expected<Problem> predict(const std::vector<PredictedInstance> &KnownSizes,
                            uint32_t From = 0,
                            const std::vector<KnownSymbol> &KnownSymbols = {});

  /// From now on, what is known of single threads of the target is taken to be
  /// of those who have the objects. Returns whether that is news.
  bool learn(const Owners &Who);
  const Owners &owners() const;
};

Expected<Problem> predictTarget(const PlanRequest &R);

} // namespace evenkeel

#endif
