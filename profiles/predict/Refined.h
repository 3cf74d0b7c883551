//===- Refined.h - a prediction corrected by measurements -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order in which measurements correct a prediction: the owners of
// objects, the places where tasks gather, their own times, and the times of
// their type.
// Not here: the corrections themselves (measured/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_REFINED_H
#define EVENKEEL_PROFILES_PREDICT_REFINED_H

#include "TargetPredictor.h"
#include "models/Model.h"

namespace evenkeel {

/// The predicted problem, corrected by the measurements in \p R: all that a
/// hook needs to compare placements, without making one. \p Predictor was made
/// for \p R, but without the sizes and times known by now.
Expected<Problem> predictRefined(TargetPredictor &Predictor,
                                 const PlanRequest &R, const Model &Mod,
                                 uint32_t From = 0);

} // namespace evenkeel

#endif
