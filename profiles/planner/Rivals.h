//===- Rivals.h - code shared by the papers' planners -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects as in the papers (all data of one allocation site), room in
// fast memory over time, and how the wishes of phases become a schedule of
// moves. Every rival gets the same predicted Problem as our planner.
// Not here: their decisions, one file each.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_RIVALS_H
#define EVENKEEL_PROFILES_PLANNER_RIVALS_H

#include "Planner.h"

namespace evenkeel {

/// All data of one site.
struct SiteObject {
  uint64_t Site = 0;
  std::vector<uint32_t> Units;
  double Bytes = 0; // peak of live bytes
  double Reads = 0, Writes = 0, Exposed = 0;
  uint32_t FirstPhase = EK_NO_TASK, LastPhase = 0; // lifetime, inclusive
  unsigned Instances = 0;
  double lines() const { return Reads + Writes; }
};
/// By site, in order of ids.
std::vector<SiteObject> siteObjects(const Problem &P);

/// Free fast bytes during the lifetimes of units.
class Room {
  const Problem &P;
  std::vector<uint32_t> Borders; // phases where lifetimes start or end
  std::vector<double> Free;      // between borders
  std::pair<size_t, size_t> life(uint32_t Unit) const;

public:
  explicit Room(const Problem &P);
  /// The bytes that \p Unit may have in fast memory during its whole life.
  double of(uint32_t Unit) const;
  /// Takes bytes; a negative number returns them.
  void take(uint32_t Unit, double Bytes);
  /// Takes all of \p Units if they fit together; returns whether they do.
  bool takeAll(const std::vector<uint32_t> &Units);
  void giveBack(const std::vector<uint32_t> &Units);
};

/// Puts whole objects that fit into fast memory, in the order of \p Worth per
/// byte. Objects without worth, or smaller than \p LeastBytes, stay in slow
/// memory. \p Worth is parallel to \p Objects.
Placement wholeObjects(const Problem &P, const std::vector<SiteObject> &Objects,
                       const std::vector<double> &Worth, double LeastBytes = 0);

/// The fast shares that result from the wishes of each phase: units new in a
/// phase are allocated as wished, other wished units move in before the phase,
/// and units without a wish leave when room is needed, first in first out.
/// Phases without wishes (empty vector) change nothing.
Placement scheduleOf(const Problem &P,
                     const std::vector<std::vector<double>> &Wishes);

/// The seconds needed to move \p Bytes between tiers.
double moveSeconds(const Machine &M, double Bytes);

/// The run as one phase: tasks of the same index and kind summed up.
PredictedPhase wholeRun(const Problem &P);

} // namespace evenkeel

#endif
