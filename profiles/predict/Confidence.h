//===- Confidence.h - error bounds of task times ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the error bound of a task's time, from those of its parts
// (Estimate.h).
// Not here: errors of the machine file.
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
  /// The bound of |ln(predicted / true)|, in nine cases of ten, for the lines
  /// that the task fetches of an instance; 0 if it does not access it.
  double in(uint32_t Instance) const;
};

/// The largest error, in seconds and nine cases of ten, of the predicted time
/// of \p T under \p Fast (share by unit). \p LatencyNs: loaded latency per
/// tier, as in the phase's state.
double timeBound(const PredictedTask &T, const std::vector<double> &Fast,
                 const Machine &M, const Model &Mod,
                 const std::vector<double> &LatencyNs);

} // namespace evenkeel

#endif
