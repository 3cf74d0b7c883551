//===- PhaseMatch.h - which of a plan's phases a run is in ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the runtime finds its place in a plan: a hook ends the next of the
// plan's phases that has its id. Data and scheduling may give a run other
// phases than its plan has. Makes: for each phase of a run, the plan's phase,
// from the hooks up to there.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_PLAN_PHASEMATCH_H
#define EVENKEEL_FORMAT_PLAN_PHASEMATCH_H

#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace evenkeel {

/// Both by phase of the run.
struct PhaseMatch {
  static constexpr uint32_t None = UINT32_MAX;
  /// The plan's phase that ends with it. None: the plan has no such phase any
  /// more, or no hook ends it.
  std::vector<uint32_t> Ended;
  /// The plan's phase that the run is taken to be in meanwhile: that of the
  /// plan's next hook; after the last one, one more than the last phase.
  std::vector<uint32_t> Current;

  uint32_t ended(uint32_t Phase) const {
    return Phase < Ended.size() ? Ended[Phase] : None;
  }
  /// For a phase after the run's last one, where the run would be then.
  uint32_t current(uint32_t Phase) const;
};

/// Numbers of a plan's phases, rising, with the ids of the hooks that end them
/// (0: none).
using PhaseEnds = std::vector<std::pair<uint32_t, uint64_t>>;
PhaseEnds phaseEnds(const Plan &P);
PhaseEnds phaseEnds(const Profile &P);

/// If no hook ends a phase of \p Planned, phases match by their numbers.
PhaseMatch matchPhases(const PhaseEnds &Planned, const PhaseEnds &Run);

} // namespace evenkeel

#endif
