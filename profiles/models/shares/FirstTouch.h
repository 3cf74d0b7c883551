//===- FirstTouch.h - the placement by first touch --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a prediction of first touch: fast memory fills up in the order of
// first use, freed memory becomes available again, nothing moves. A base
// profile does not contain the order within a phase, so tasks are assumed to
// walk through all their data in parallel, from front to end.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SHARES_FIRSTTOUCH_H
#define EVENKEEL_PROFILES_MODELS_SHARES_FIRSTTOUCH_H

#include "problem/Problem.h"
#include <optional>

namespace evenkeel {

/// Fast share of each unit. \p Placed: the share of each unit that is in fast
/// memory so far, NaN if the unit is not placed; empty: nothing is. \p Room:
/// bytes of the fast tier; default: the problem's.
std::vector<double> firstTouchShares(const Problem &P,
                                     const std::vector<double> &Placed = {},
                                     std::optional<double> Room = {});

} // namespace evenkeel

#endif
