//===- Refined.h - a prediction with all that a run has told ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order in which measurements correct a prediction: who has which
// objects, where tasks gather, what their own times and those of their type
// tell.
// Leaves out: how each does it (measured/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_REFINED_H
#define EVENKEEL_PROFILES_PREDICT_REFINED_H

#include "TargetPredictor.h"
#include "models/Model.h"

namespace evenkeel {

/// The predicted problem, corrected by what \p R says was measured: all that a
/// hook needs to compare placements, without making one. \p Predictor was made
/// for \p R but for the sizes and times known by now.
Expected<Problem> predictRefined(TargetPredictor &Predictor,
                                 const PlanRequest &R, const Model &Mod,
                                 uint32_t From = 0);

} // namespace evenkeel

#endif
