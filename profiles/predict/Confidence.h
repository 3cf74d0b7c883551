//===- Confidence.h - how sure a prediction is ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the error bounds of a task's parts (Estimate.h) make of its time.
// Leaves out: errors of the machine file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_CONFIDENCE_H
#define EVENKEEL_PROFILES_PREDICT_CONFIDENCE_H

#include "models/Model.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Error bounds of a task's estimates, by object.
class EstimateBounds {
  std::vector<std::pair<uint32_t, double>> Of; // sorted by instance

public:
  explicit EstimateBounds(const PredictedTask &T);
  /// What |ln(predicted / true)| of the lines that the task fetches of an
  /// instance stays below in nine cases of ten; 0 where it does not access it.
  double in(uint32_t Instance) const;
};

/// Seconds that the predicted time of \p T under \p Fast (share by unit) is off
/// at most, nine times in ten. \p LatencyNs: loaded, per tier, as the phase's
/// state has them.
double timeBound(const PredictedTask &T, const std::vector<double> &Fast,
                 const Machine &M, const Model &Mod,
                 const std::vector<double> &LatencyNs);

} // namespace evenkeel

#endif
