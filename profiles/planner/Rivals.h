//===- Rivals.h - what the papers' planners have in common ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects as the papers see them (all data of one allocation site), room
// in fast memory over time, and how a wish per phase becomes a schedule of
// moves. Every rival gets the same predicted Problem as ours.
// Leaves out: their decisions, one file each.
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

/// Free fast bytes over the time that units live.
class Room {
  const Problem &P;
  std::vector<uint32_t> Borders; // phases where lifetimes start or end
  std::vector<double> Free;      // between borders
  std::pair<size_t, size_t> life(uint32_t Unit) const;

public:
  explicit Room(const Problem &P);
  /// Bytes that \p Unit may have in fast memory all its life.
  double of(uint32_t Unit) const;
  /// Takes bytes; negative gives back.
  void take(uint32_t Unit, double Bytes);
  /// Whether all of \p Units fit together; takes them if so.
  bool takeAll(const std::vector<uint32_t> &Units);
  void giveBack(const std::vector<uint32_t> &Units);
};

/// Whole objects into fast memory, those of the largest \p Worth per byte
/// first, as long as they fit; objects without any worth, or smaller than
/// \p LeastBytes, stay out. \p Worth goes with \p Objects.
Placement wholeObjects(const Problem &P, const std::vector<SiteObject> &Objects,
                       const std::vector<double> &Worth, double LeastBytes = 0);

/// The fast shares that come about when each phase wishes for some: units new
/// in a phase lie as wished at once, what a phase wishes moves in before it,
/// and units that are not wished for leave when room is needed, first come
/// first out. Phases without a wish (empty vector) change nothing.
Placement scheduleOf(const Problem &P,
                     const std::vector<std::vector<double>> &Wishes);

/// Seconds that moving \p Bytes between tiers takes.
double moveSeconds(const Machine &M, double Bytes);

/// The run as one phase: tasks of the same index and kind summed up.
PredictedPhase wholeRun(const Problem &P);

} // namespace evenkeel

#endif
