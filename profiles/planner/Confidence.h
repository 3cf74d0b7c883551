//===- Confidence.h - how sure a prediction is ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the error bounds of a task's parts (Estimate.h) make of its time.
// Leaves out: errors of the machine file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_CONFIDENCE_H
#define EVENKEEL_PROFILES_PLANNER_CONFIDENCE_H

#include "Planner.h"

namespace evenkeel {

/// What |ln(predicted / true)| of the lines that \p T fetches of an instance
/// stays below in nine cases of ten; 0 where it does not access it.
double boundIn(const PredictedTask &T, uint32_t Instance);

/// Seconds that the predicted time of \p T under \p Fast (share by unit) is off
/// at most, nine times in ten. \p LatencyNs: loaded, per tier, as the phase's
/// state has them.
double timeBound(const PredictedTask &T, const std::vector<double> &Fast,
                 const Machine &M, const Model &Mod,
                 const std::vector<double> &LatencyNs);

} // namespace evenkeel

#endif
