//===- Fold.h - fold equal phases of a base profile -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: iterations of a solver have the same rows.
// Makes: a folded profile (Profile::Like), in which equal phases share rows.
// The time to read the base that a plan carries, and to look at it at a hook,
// then depends on the number of distinct phases. Predictions are the same, up
// to the order of summation.
// Not here: values and samples that hooks see. They belong to single phases,
// whose numbers folding keeps.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H
#define EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H

#include "format/profile/Profile.h"

namespace evenkeel {

/// Of equal phases the first few (PhasesKept) keep their rows, and the last of
/// these represents all that follow. Phases are equal if they lie between the
/// same allocations, have the same rows, and push the same dirty lines out of
/// the caches. Phases whose tasks depend on tasks of other phases are not
/// folded.
Profile foldPhases(const Profile &B);

} // namespace evenkeel

#endif
