//===- Arbiter.h - the placement that does no harm --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every prediction has an error bound, so a placement is judged on many
// problems drawn within the bounds (Draws.h). Of the candidates that hardly
// ever lose against what happens anyway, the one that is best on average wins.
// Not here: where candidates come from (Balanced.cpp, HookPlanner.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_ARBITER_H
#define EVENKEEL_PROFILES_PLANNER_ARBITER_H

#include "models/Model.h"
#include "problem/Placement.h"
#include "problem/Problem.h"

namespace evenkeel {

/// How a candidate does over the draws, as its time over that of the first
/// candidate on the same draw.
struct Standing {
  double Mean = 1;
  double Bad = 1; ///< exceeded in one draw of twenty
};

/// The standing of each of \p Candidates (shares by unit), which must not be
/// empty; the first is what happens without a plan. Takes time by the number of
/// candidates, draws and groups of equal phases.
std::vector<Standing>
standings(const Problem &P, const Machine &M, const Model &Mod,
          const std::vector<std::vector<double>> &Candidates);

/// The standing of a run that begins with the shares \p Fast, changes them as
/// \p Changes say, which are sorted by phase, and is predicted to take
/// \p Seconds, against one with the shares \p Stay. What the phases do not
/// account for, as copying, is the same in all draws. Takes time by the number
/// of draws and of groups of equal phases between changes.
Standing standingOfChanges(const Problem &P, const Machine &M, const Model &Mod,
                           const std::vector<double> &Stay,
                           const std::vector<double> &Fast,
                           const std::vector<PlacementChange> &Changes,
                           double Seconds);

/// The standing of a candidate whose times, over those of the first one, are
/// \p Ratios, one by draw; not empty.
Standing standingOf(std::vector<double> Ratios);

/// Whether it loses at most the tolerated share (tuning.def: MostHarm) in 95 of
/// 100 draws.
bool isHarmless(const Standing &Of);

/// The index of the candidate with the best mean among those that are
/// harmless; 0 if none of them is better than the first by more than LeastGain.
size_t leastHarm(const std::vector<Standing> &Of);

} // namespace evenkeel

#endif
