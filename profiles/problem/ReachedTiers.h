//===- ReachedTiers.h - the tiers that data reaches -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: data that leaves tier 0 fills tier 1 first, so the slowest tiers of a
// machine may stay empty. Models and planners handle two tiers, the first and
// the last, and get a machine whose last tier is the last one that is used.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_REACHEDTIERS_H
#define EVENKEEL_PROFILES_PROBLEM_REACHEDTIERS_H

#include "format/Machine.h"

namespace evenkeel {

/// \p M without the slowest tiers, which \p Bytes of data never reach. At least
/// two tiers remain.
Machine withoutUnreachedTiers(Machine M, double Bytes);

} // namespace evenkeel

#endif
