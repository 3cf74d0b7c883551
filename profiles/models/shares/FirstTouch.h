//===- FirstTouch.h - where data falls without a plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the prediction of first touch: fast memory fills up in the order in
// which data is first used, freed memory becomes free again, nothing moves. A
// base profile does not keep the order within a phase: tasks are taken to walk
// through all they use at once, from front to end.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_FIRSTTOUCH_H
#define EVENKEEL_PROFILES_MODELS_SHARES_FIRSTTOUCH_H

#include "problem/Problem.h"
#include <optional>

namespace evenkeel {

/// Fast share per unit. \p Placed: of every unit, the share that lies fast by
/// now, not a number if none of it lies anywhere; empty: nothing does. \p Room:
/// bytes of the fast tier; none: all that the problem has.
std::vector<double> firstTouchShares(const Problem &P,
                                     const std::vector<double> &Placed = {},
                                     std::optional<double> Room = {});

} // namespace evenkeel

#endif
