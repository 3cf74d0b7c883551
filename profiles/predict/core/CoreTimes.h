//===- CoreTimes.h - the fifth stage: what tasks compute --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how much more each task accesses, and how much more work the program
// has.
// Makes: the core time of a task on the target, without waiting for memory: it
// grows as its accesses do or, where it makes hardly any, as the work does.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_CORE_CORETIMES_H
#define EVENKEEL_PROFILES_PREDICT_CORE_CORETIMES_H

#include "predict/counts/AccessCounts.h"

namespace evenkeel {
namespace prediction {

struct CoreTime {
  double Growth = 1; // over the base input's
  CoreWay Way = CoreWay::Kept;
  /// Whether the task computes much more than it accesses: its accesses do not
  /// tell how long it takes.
  bool Computes = false;
};

/// \p Its: growth of the accesses of \p Task.
CoreTime coreTimeOf(const CountInputs &In, uint32_t Task,
                    const std::vector<CountGrowth> &Its);

/// By row of Profile.Tasks.
using CoreTimes = std::vector<CoreTime>;
/// \p Predicted: by row, whether it is asked for.
CoreTimes predictCoreTimes(const CountInputs &In, const AccessCounts &Counts,
                           const std::vector<bool> &Predicted);

} // namespace prediction
} // namespace evenkeel

#endif
