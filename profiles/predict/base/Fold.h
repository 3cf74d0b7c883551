//===- Fold.h - phases of a base that did the same --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the iterations of a solver do the same, row by row. What a plan
// carries for planning again has the rows of such phases once: so reading it,
// and a look at a hook, takes time by the kinds of phases, not by their number.
// Makes: a folded profile (Profile::Like), from which the same is predicted but
// for the order in which sums are made.
// Leaves out: samples of stalls and symbols by phase, which are told of single
// phases (Samples.h); who has those takes the whole profile.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H
#define EVENKEEL_PROFILES_PREDICT_BASE_FOLD_H

#include "format/profile/Profile.h"

namespace evenkeel {

/// Of phases alike the first two keep their rows, the second for all that
/// follow: what a single phase did stays apart from what came again. Alike are
/// phases between the same allocations with the same rows, whose tasks also
/// find the same lines of others in their caches.
Profile foldPhases(const Profile &B);

} // namespace evenkeel

#endif
