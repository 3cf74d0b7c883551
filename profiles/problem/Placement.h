//===- Placement.h - shares of units in fast memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a planner's decision: the share of each unit that lies in the fast
// tier, at allocation and from later phases on.
// Not here: the plan as written to a file (format/plan/Plan.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_PLACEMENT_H
#define EVENKEEL_PROFILES_PROBLEM_PLACEMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel {

/// The placement of units from the start of a phase on.
struct PlacementChange {
  uint32_t Phase = 0;
  std::vector<double> FastShare; ///< by unit, 0 to 1
};

/// Invariants: each list of shares has one for every unit of the problem,
/// between 0 and 1; Changes are sorted by phase.
struct Placement {
  std::vector<double> FastShare; ///< by unit, 0 to 1; as allocated
  std::vector<PlacementChange> Changes;
  double MovingSeconds = 0; ///< predicted with Changes; 0: not predicted
  /// Pages stay where they are first touched; FastShare predicts where.
  bool KeepsFirstTouch = false;
  std::vector<std::string> Notes; ///< for people
};

} // namespace evenkeel

#endif
