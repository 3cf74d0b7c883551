//===- Confidence.h - error bounds of task times ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which evidence a task's time rests on, and so its error bound
// (Evidence.h). Bounds hold for times and not for parts of them: parts are off
// by more, in both directions.
// Not here: errors of the machine file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_CONFIDENCE_H
#define EVENKEEL_PROFILES_PREDICT_CONFIDENCE_H

#include "problem/Evidence.h"
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

/// What a task's time rests on: the worst evidence and reach behind enough of
/// it (errors.def).
struct Basis {
  Evidence Of = Evidence::Own;
  Reach How = Reach::Steady;
  double Off = 0; ///< of evidence that shows its own error; of the logarithm
};

/// \p Seconds: the time of \p T where its data lies.
Basis basisOf(const PredictedTask &T, double Seconds);

/// The largest error, in seconds and nine cases of ten, of the predicted time
/// \p Seconds of \p T. Proportional to it.
double timeBound(const PredictedTask &T, double Seconds);

} // namespace evenkeel

#endif
