//===- Density.h - ecoHMEM's greedy knapsack --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the placement of ecoHMEM's advisor (Cluster 2022): whole sites in
// order of (loads * latency + stores * latency) / bytes, those that fit.
// Leaves out: tasks, phases, parts of objects - on purpose, so that plans can
// be compared; and its bandwidth-aware swaps.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_DENSITY_H
#define EVENKEEL_PROFILES_PLANNER_DENSITY_H

#include "Planner.h"

namespace evenkeel {

class DensityPlanner : public Planner {
public:
  std::string name() const override { return "density"; }
  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override;
};

} // namespace evenkeel

#endif
