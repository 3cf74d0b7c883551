//===- next_plan.h - how a run comes by its next plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the leader of several ranks lays its plan out for the others
// (board.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_NEXT_PLAN_H
#define EVENKEEL_RUNTIME_NEXT_PLAN_H

#include "format/plan/Plan.h"
#include "placement/plan.h"

namespace evenkeel {

/// \p Next as it comes after ek_plan_now. A layout has no phases; those of the
/// first plan go on, without what is said of their tasks.
ek_plan *successor(const Plan &Next);

/// For the other ranks; false: they cannot be told, so nobody follows it.
bool publish(const Plan &Shown);

/// Of ranks other than the leader: answers it, and takes over what it planned.
/// Null: nothing new.
ek_plan *follow();

} // namespace evenkeel

#endif
