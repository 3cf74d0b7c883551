//===- AccessGrowth.h - growth of accesses ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: count expressions on the base input and, with the values known before
// any size is, on the target.
// Makes: the growth of the whole program's work, and of each site's accesses.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_ACCESSGROWTH_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_ACCESSGROWTH_H

#include "predict/symbols/TargetCounts.h"

namespace evenkeel {
namespace prediction {

struct AccessGrowth {
  /// For the accesses of all tasks whose counts have values on both inputs.
  std::optional<double> Work;
  /// By site: accesses of the whole program, base and target.
  std::map<uint64_t, std::pair<double, double>> BySite;
};
AccessGrowth growthOfAccesses(const BaseTables &Base, const BaseCounts &Counts,
                              const TargetCounts &Given);

} // namespace prediction
} // namespace evenkeel

#endif
