//===- Balanced.h - the placement with the smallest makespan ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: minimise the sum over phases of the time of the slowest task, with
// live bytes within the fast memory at every phase. For fixed latencies this is
// a linear program (MinMax.h); latencies are then settled by the phase's load
// and the program solved again. The critical path of explicit tasks enters row
// by row, as the placement makes paths critical.
// Does no harm: where first touch is predicted as good, it is kept.
// Leaves out: migration between phases; the placement holds for the whole run.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_BALANCED_H
#define EVENKEEL_PROFILES_PLANNER_BALANCED_H

#include "Planner.h"

namespace evenkeel {

class BalancedPlanner : public Planner {
public:
  std::string name() const override { return "balanced"; }
  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override;
  bool knowsFixed() const override { return true; }
};

} // namespace evenkeel

#endif
