//===- TargetCounts.h - count expressions on the target ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols with which count expressions are evaluated.
// Makes: the counts in tasks of the target, each when it is first requested.
// When values of symbols change, only affected tasks are evaluated again; a
// hook learns a few values, of a few phases. Invariant: every stored count is
// valid under values().
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_TARGETCOUNTS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_TARGETCOUNTS_H

#include "SymbolValues.h"
#include "predict/base/BaseCounts.h"

namespace evenkeel {
namespace prediction {

/// Not thread-safe.
class TargetCounts {
  struct Memo : Count {
    bool Evaluated = false;
  };
  const BaseTables &Base;
  SymbolValues Values;
  mutable std::vector<std::vector<Memo>> Of; // as BaseCounts::Of

public:
  TargetCounts(const BaseTables &Base, SymbolValues Values)
      : Base(Base), Values(std::move(Values)), Of(Base.B.Tasks.size()) {}

  const SymbolValues &values() const { return Values; }
  /// Returns the rows of tasks whose counts may have changed.
  std::vector<uint32_t> update(SymbolValues Now);

  /// \p How receives how the value was determined.
  std::optional<double> at(const AccessFact &A, CountOf Which, uint32_t Task,
                           Trace &How) const;
};

} // namespace prediction
} // namespace evenkeel

#endif
