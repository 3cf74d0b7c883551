//===- Fold.h - fold equal phases of a base profile -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: iterations of a solver have the same rows. The base that a plan
// carries for planning again contains the rows of equal phases once, so the
// time to read it, and for a look at a hook, depends on the number of distinct
// phases, not of all phases.
// Makes: a folded profile (Profile::Like), which gives the same predictions
// apart from the order of summation.
// Not here: samples of stalls and symbols by phase, which belong to single
// phases (Samples.h); a profile with these is not folded.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H
#define EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H

#include "format/profile/Profile.h"

namespace evenkeel {

/// Of equal phases the first two keep their rows, the second for all that
/// follow: the first iteration may differ from the repeated ones. Phases are
/// equal if they lie between the same allocations, have the same rows, and
/// their tasks find the same dirty lines of other tasks in their caches.
Profile foldPhases(const Profile &B);

} // namespace evenkeel

#endif
