//===- FirstTouch.h - where data falls without a plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the prediction of first touch: fast memory fills up in the order in
// which instances are first used, freed memory becomes free again, nothing
// moves. Instances first used in the same phase share the room by their size,
// since a base profile does not keep their order within a phase.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_FIRSTTOUCH_H
#define EVENKEEL_PROFILES_PLANNER_FIRSTTOUCH_H

#include "Planner.h"

namespace evenkeel {

/// Fast share per unit.
std::vector<double> firstTouchShares(const Problem &P);

} // namespace evenkeel

#endif
