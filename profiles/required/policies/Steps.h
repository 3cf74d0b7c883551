//===- Steps.h - what several policies ask about steps ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which steps are heavy, and orders by number.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POLICIES_STEPS_H
#define EVENKEEL_PROFILES_REQUIRED_POLICIES_STEPS_H

#include "required/Schedule.h"

namespace evenkeel::required {

/// Of each step whether it takes at least \p Times the mean time of a step that
/// takes any. The papers know convolutions by their kind.
std::vector<bool> heavySteps(const TaskGraph &G, double Times);

/// 0: as written, 1: breadth first, 2: depth first, 3: least live.
constexpr unsigned Orders = 4;
Order orderByNumber(const TaskGraph &G, unsigned Number);

} // namespace evenkeel::required

#endif
