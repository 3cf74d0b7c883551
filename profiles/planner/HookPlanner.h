//===- HookPlanner.h - planning again at hooks ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a hook knows sizes, times and symbols that the first plan could only
// guess. It predicts the phases to come from them and searches for the few
// moves that shorten these phases by clearly more than they cost.
// Makes: a decision; the runtime, or the replay of a record, carries it out,
// with the same code.
// Not here: how sizes and times are obtained, and how pages move.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_HOOKPLANNER_H
#define EVENKEEL_PROFILES_PLANNER_HOOKPLANNER_H

#include "Trade.h"
#include "predict/Refined.h"
#include "problem/AlikePhases.h"
#include <deque>
#include <functional>

namespace evenkeel {

/// The predictions for the tasks of each phase at the last hook before it, and
/// their measured times. Not thread-safe.
class PhaseLog {
  using Expectations = decltype(MeasuredPhase::Expected);
  struct Equal { // what equal phases share
    SharedList<PredictedTask> Tasks;
    std::vector<double> Seconds;
    std::shared_ptr<const Expectations> Its;
  };
  static constexpr size_t MostEqual = 16;
  std::vector<MeasuredPhase> Measured;
  std::vector<std::shared_ptr<const Expectations>> Said; // by phase
  uint32_t Forgotten = 0;                                // phases before this
                                                         // one are dropped
  std::deque<Equal> Last;                                // the latest first
  std::map<uint32_t, decltype(MeasuredPhase::Placed)> Placed; // by phase

public:
  /// Records the model's times for the tasks of \p H; the last call before they
  /// run counts.
  void predicted(const PredictedPhase &H, const std::vector<double> &Seconds);
  /// Records where the units of \p P lie during \p H.
  void placed(const PredictedPhase &H, const Problem &P,
              const std::vector<double> &Fast);
  /// Ends \p H, and divides the times of its explicit tasks among those of the
  /// plan; drops the predictions for it and for earlier phases.
  void ended(MeasuredPhase H);
  const std::vector<MeasuredPhase> &measured() const { return Measured; }
};

/// Receives a phase, the seconds of its tasks, and the fast shares of units
/// during it.
using SayTimes =
    std::function<void(const PredictedPhase &, const std::vector<double> &,
                       const std::vector<double> &)>;

/// Calls \p Say with each phase from \p From on. Units lie as in \p Now until
/// the steps of \p Moves, one after the other, starting at the hook before
/// \p From, move them. \p Say may be null. Returns the sum of the phases'
/// seconds; \p PhaseSeconds, if given, receives the seconds of each.
double predictWhileMoving(const Problem &P, uint32_t From,
                          const std::vector<double> &Now, const Trades &Moves,
                          const Machine &M, const Model &Mod,
                          const SayTimes &Say,
                          std::vector<double> *PhaseSeconds = nullptr);

/// What hooks do if everything is as predicted.
struct HookedRun {
  double Seconds = 0;                   ///< of all phases
  std::vector<PlacementChange> Changes; ///< by the hooks that move something
  /// Hooks that were not weighed and may gain: of a kind of which others move
  /// something, or none was weighed.
  unsigned Left = 0;
};

/// Data starts as in \p Fast, and hooks move what pays. Weighs a limited
/// number of hooks (HooksToWeigh.h). Between phases like those before, from the
/// same placement, a hook that moved nothing is not asked again.
HookedRun predictWithHooks(const Problem &P, const std::vector<double> &Fast,
                           const Machine &M, const Model &Mod);

/// Whether hooks keep the first touch placement that \p X keeps. Not if
/// everything was predicted to fit into the fast tier and, by \p Now, it does
/// not.
bool leavesFirstTouch(const Plan &X, const Problem &Now);

struct HookDecision {
  Problem P;               // of the phases after the hook
  std::vector<double> Now; // where its units lie
  Trades Chosen;
};

/// Trades are chosen as if latencies did not change, but they do when a tier's
/// bandwidth is exhausted. Keeps the trades \p T, with data placed as in
/// \p Now, if the gain in the phases after \p Hook, with updated latencies,
/// exceeds the cost of the copies, or the first half of the steps, or half of
/// those, and so on, whichever gains most; none if nothing gains.
void keepWhatPays(const Problem &P, const std::vector<double> &Now, Trades &T,
                  uint32_t Hook, const Machine &M, const Model &Mod);

/// The moves that would shorten the phases after \p Hook. \p Again contains
/// what is known by now; \p Predictor was made for it, without that. \p Where
/// returns the fast share of each unit.
Expected<HookDecision>
decideAtHook(TargetPredictor &Predictor, const PlanRequest &Again,
             const Model &Mod, uint32_t Hook,
             const std::function<std::vector<double>(const Problem &)> &Where);

} // namespace evenkeel

#endif
