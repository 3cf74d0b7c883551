//===- next_plan.h - putting a new plan into force --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a new plan follows the current one, and how the leader of several
// ranks passes it to the others (board.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_NEXT_PLAN_H
#define EVENKEEL_RUNTIME_NEXT_PLAN_H

#include "format/plan/Plan.h"
#include "placement/plan.h"
#include "planner/HookPlanner.h"

namespace evenkeel {

/// \p Next as the successor of ek_plan_now. A new plan has no phases of its
/// own; it takes over those of the first plan.
ek_plan *successor(const Plan &Next);

/// Reports to the listeners for which address ranges of objects \p Made changes
/// the placement before \p Phase.
void reportDecision(const HookDecision &Made, uint32_t Phase);

/// Publishes the plan for the other ranks. Returns false if that fails; then no
/// rank may follow it.
bool publish(const Plan &Shown);

/// For ranks other than the leader: answers the leader, and adopts the plan it
/// has published. Null: there is no new one.
ek_plan *follow();

} // namespace evenkeel

#endif
