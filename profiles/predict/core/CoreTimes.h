//===- CoreTimes.h - the fifth stage: core times of tasks -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the growth of each task's accesses, and of the program's work.
// Makes: the core time of a task on the target, without waiting for memory: it
// grows with its accesses or, if it makes hardly any, with the work.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_CORE_CORETIMES_H
#define EVENKEEL_PROFILES_PREDICT_CORE_CORETIMES_H

#include "predict/counts/AccessCounts.h"

namespace evenkeel {
namespace prediction {

struct CoreTime {
  double Growth = 1; // relative to the base input
  CoreWay Way = CoreWay::Kept;
  /// Whether the task computes much more than it accesses, so that its accesses
  /// do not determine its time.
  bool Computes = false;
  double FitOff = 0; // of a fit over several base inputs
};

/// \p Its: growth of the accesses of \p Task.
CoreTime coreTimeOf(const CountInputs &In, uint32_t Task,
                    const std::vector<CountGrowth> &Its);

/// By row of Profile.Tasks.
using CoreTimes = std::vector<CoreTime>;
/// \p Predicted: by row, whether it is requested.
CoreTimes predictCoreTimes(const CountInputs &In, const AccessCounts &Counts,
                           const std::vector<bool> &Predicted);

} // namespace prediction
} // namespace evenkeel

#endif
