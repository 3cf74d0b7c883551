//===- PhaseGroups.h - phases that repeat, shown once -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the iterations of a loop run the same regions in the same order, so
// people want to see one iteration and its number. A run may have several such
// loops, one after the other.
// Makes: groups of phases in the order of their first ones.
// Not here: figures of phases, and their display.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PHASEGROUPS_H
#define EVENKEEL_UTILS_CLI_PHASEGROUPS_H

#include "format/plan/Plan.h"
#include "simulator/Replay.h"

namespace evenkeel::cli {

struct PhaseGroup {
  std::vector<uint32_t> Phases; // rising
  /// From 1: the loop whose iterations contain these phases, one phase each;
  /// 0: the phases belong to no loop.
  unsigned Loop = 0;
};

/// What runs in a phase, and how long it takes.
struct PhaseKey {
  uint32_t Phase = 0;
  uint64_t Region = 0;
  double Seconds = 0;
};

/// The phases of a plan, and of a replay, in the order of the run. A phase is
/// known by the region of its team, or of its first task.
std::vector<PhaseKey> phaseKeys(const Plan &P);
std::vector<PhaseKey> phaseKeys(const PolicyResult &R);

/// The groups of \p Phases, which are in the order of the run.
std::vector<PhaseGroup> groupPhases(const std::vector<PhaseKey> &Phases);

/// Removes phases that are too short to be seen: each takes less than a
/// ten-thousandth of all time, and all of them together less than a hundredth.
/// Returns their number and adds up their time.
size_t dropShort(std::vector<PhaseKey> &Phases, double &Seconds);

/// At most \p Most groups: if there are more, groups of one region become one;
/// if there are still more, the shortest become one, which comes last. Returns
/// whether the last group is such a rest.
bool limitGroups(std::vector<PhaseGroup> &Groups,
                 const std::vector<PhaseKey> &Phases, size_t Most);

} // namespace evenkeel::cli

#endif
