//===- HookPlanner.h - planning again where all tasks wait ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: at a hook sizes, times and symbols are known that the first plan could
// only guess. From them it predicts the phases to come and looks for the few
// moves that shorten them by clearly more than they cost.
// Makes: a decision; those who run the program carry it out: the runtime, and
// the replay of a record, with the same code.
// Leaves out: where sizes and times come from, and how pages move.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_HOOKPLANNER_H
#define EVENKEEL_PROFILES_PLANNER_HOOKPLANNER_H

#include "Trade.h"
#include "predict/Refined.h"
#include "problem/AlikePhases.h"
#include <deque>
#include <functional>

namespace evenkeel {

/// What was said of the tasks of each phase at the last hook before it, and
/// what they took. Not thread-safe.
class PhaseLog {
  using Expectations = decltype(MeasuredPhase::Expected);
  struct Told { // of phases alike
    SharedList<PredictedTask> Tasks;
    std::vector<double> Seconds;
    std::shared_ptr<const Expectations> Its;
  };
  static constexpr size_t MostTold = 16;
  std::vector<MeasuredPhase> Measured;
  std::vector<std::shared_ptr<const Expectations>> Said; // by phase
  uint32_t Forgotten = 0;                                // phases before it
  std::deque<Told> Last;                                 // the latest first
  std::map<uint32_t, decltype(MeasuredPhase::Placed)> Placed; // by phase

public:
  /// What the model says for the tasks of \p H, last before they run.
  void predicted(const PredictedPhase &H, const std::vector<double> &Seconds);
  /// Where the units of \p P lie meanwhile.
  void placed(const PredictedPhase &H, const Problem &P,
              const std::vector<double> &Fast);
  /// \p H is over; what was said of it and of phases before is forgotten.
  void ended(MeasuredPhase H);
  const std::vector<MeasuredPhase> &measured() const { return Measured; }
};

/// A phase, the seconds of its tasks, the fast shares of units meanwhile.
using SayTimes =
    std::function<void(const PredictedPhase &, const std::vector<double> &,
                       const std::vector<double> &)>;

/// Calls \p Say with each phase from \p From on, where units lie as \p Now says
/// until \p Moves bring them, one step after the other, from the hook before
/// on. \p Say may be null. Returns the seconds of all of them; \p PhaseSeconds,
/// if given, gets those of each.
double predictWhileMoving(const Problem &P, uint32_t From,
                          const std::vector<double> &Now, const Trades &Moves,
                          const Machine &M, const Model &Mod,
                          const SayTimes &Say,
                          std::vector<double> *PhaseSeconds = nullptr);

/// The same; \p Alike are the phases from \p From on.
double predictWhileMoving(const Problem &P, const AlikePhases &Alike,
                          uint32_t From, const std::vector<double> &Now,
                          const Trades &Moves, const Machine &M,
                          const Model &Mod, const SayTimes &Say,
                          std::vector<double> *PhaseSeconds = nullptr);

/// Seconds of all phases, with data lying as \p Fast says at the start and
/// hooks that move what pays as far as is known then: each of
/// at most, evenly spread; \p Left, if given, gets the number of those left
/// out.
double predictWithHooks(const Problem &P, const std::vector<double> &Fast,
                        const Machine &M, const Model &Mod,
                        unsigned *Left = nullptr);

/// Whether hooks leave first touch alone, which \p X keeps: not where all was
/// to fit into the fast tier and \p Now, with what is known by now, does not.
bool leavesFirstTouch(const Plan &X, const Problem &Now);

struct HookDecision {
  Problem P;               // of the phases after the hook
  std::vector<double> Now; // where its units lie
  Trades Chosen;
};

/// Trades are chosen as if latencies stayed what they are; where a tier's
/// bandwidth is used up they do not. Keeps the trades \p T, with data lying as
/// \p Now says, if what the phases after \p Hook gain with latencies that
/// settle is worth the copies, too; or the first half of the steps, or of
/// those, and so on; or none.
void keepWhatPays(const Problem &P, const std::vector<double> &Now, Trades &T,
                  uint32_t Hook, const Machine &M, const Model &Mod);

/// What moves would shorten the phases after \p Hook. \p Again has what is
/// known by now; \p Predictor was made for it but for that. \p Where tells the
/// fast share of each unit.
Expected<HookDecision>
decideAtHook(TargetPredictor &Predictor, const PlanRequest &Again,
             const Model &Mod, uint32_t Hook,
             const std::function<std::vector<double>(const Problem &)> &Where);

} // namespace evenkeel

#endif
