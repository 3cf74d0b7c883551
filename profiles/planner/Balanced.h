//===- Balanced.h - the placement with the smallest makespan ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: minimise the sum over phases of the slowest task's time, with live
// bytes within the fast memory in every phase. For fixed latencies this is a
// linear program (MinMax.h); latencies are then updated by the phase's load and
// the program is solved again. Critical paths of explicit tasks are added as
// rows when a placement makes them critical. If first touch is predicted to be
// as good, it is kept.
// Not here: migration between phases; the placement holds for the whole run.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_BALANCED_H
#define EVENKEEL_PROFILES_PLANNER_BALANCED_H

#include "Planner.h"

namespace evenkeel {

class BalancedPlanner : public Planner {
public:
  std::string name() const override { return OwnPlanner; }
  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override;
  bool knowsFixed() const override { return true; }
};

} // namespace evenkeel

#endif
