//===- TargetPredictor.h - repeated prediction of one target ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the base profile and the given values do not change during a run,
// while more sizes become known. What follows from the former is computed once,
// so that a hook only pays for the latter.
// Makes: a Problem at each call.
// Not here: corrections by measured times (measured/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TARGETPREDICTOR_H
#define EVENKEEL_PROFILES_PREDICT_TARGETPREDICTOR_H

#include "problem/Request.h"
#include <memory>
#include <optional>

namespace evenkeel {

/// Not thread-safe.
class TargetPredictor {
  struct State;
  std::unique_ptr<State> Its;

public:
  /// The objects to which \p R points must live as long; its KnownSizes,
  /// KnownSymbols and Measured are ignored.
  explicit TargetPredictor(const PlanRequest &R);
  ~TargetPredictor();

  /// \p KnownSizes: of the instances that exist by now. Phases before \p From
  /// only contain the tasks with which measured tasks are compared.
  /// \p KnownSymbols: symbols whose values have been seen by now.
  Expected<Problem> predict(const std::vector<PredictedInstance> &KnownSizes,
                            uint32_t From = 0,
                            const std::vector<KnownSymbol> &KnownSymbols = {});

  /// The value of \p Symbol that predictions assume as long as no other is
  /// seen: the given one, or the base's; none: the base run had several.
  std::optional<double> expected(uint64_t Symbol) const;
  /// The kind of the base's phase \p Phase: a value that is seen in one phase
  /// holds for all of its kind. AnyKind: for none.
  uint32_t kindOf(uint32_t Phase) const;
};

} // namespace evenkeel

#endif
