//===- HookWatch.h - information available at hooks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the runtime knows at a hook: the objects allocated so far with
// their actual sizes, the task times of past phases, and the values that
// annotated sources hand over.
// Not here: recorded data of future phases; the use of this information
// (HookPolicy.h, FixedPlacement.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKWATCH_H
#define EVENKEEL_UTILS_CLI_HOOKWATCH_H

#include "format/plan/PhaseMatch.h"
#include "planner/HookPlanner.h"
#include "predict/Confidence.h"
#include "predict/LatestTotals.h"
#include "simulator/Replay.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace evenkeel::cli {

/// Threads and explicit tasks of a phase have separate numbers.
using TaskKey = std::tuple<uint32_t, bool, uint32_t>; // phase, explicit, index
inline TaskKey taskKey(uint32_t Phase, uint32_t Index, bool Explicit) {
  return {Phase, Explicit, Index};
}

/// Predicted seconds.
using TaskTimes = std::map<TaskKey, double>;

/// What a task does, apart from its time: predicted or recorded.
struct TaskCount {
  double Accesses = 0;     // of recorded objects
  double Lines = 0;        // fetched from and written back to memory
  bool Determined = false; // see PredictedTask
  uint64_t Region = 0;
  CoreWay Core = CoreWay::Kept;
  double CoreSeconds = 0;
  double Bound = 0; // seconds; see timeBound
  /// Accesses and fetches by object; for a record, without their evidence.
  std::map<InstanceKey, Estimate> Objects = {};
  Basis RestsOn = {};
};
using TaskCounts = std::map<TaskKey, TaskCount>;

/// \p Of, by task of a plan's phases, by task of the run's.
template <typename T>
std::map<TaskKey, T> byPhaseOfRun(const std::map<TaskKey, T> &Of,
                                  const PhaseMatch &Match) {
  std::map<TaskKey, T> Out;
  for (uint32_t Phase = 0; Phase < Match.Ended.size(); ++Phase) {
    const uint32_t Its = Match.Ended[Phase];
    if (Its == PhaseMatch::None)
      continue;
    const auto End = Of.lower_bound({Its + 1, false, 0});
    for (auto At = Of.lower_bound({Its, false, 0}); At != End; ++At)
      Out.emplace(
          TaskKey{Phase, std::get<1>(At->first), std::get<2>(At->first)},
          At->second);
  }
  return Out;
}

/// The size of \p X, as the runtime knows it.
PredictedInstance knownSize(const ek_raw_inst &X);

/// \p Now, and those of \p Earlier, sizes in an earlier run of the target, that
/// \p Now does not have.
std::vector<PredictedInstance>
withEarlier(std::vector<PredictedInstance> Now,
            const std::vector<PredictedInstance> &Earlier);

/// Its functions take phases of the recorded run; what goes into predictions
/// and comes out has the plan's phases.
class HookWatch {
  ReplayRequest R;
  const TargetPredictor &Predictor;
  PhaseMatch Match;
  // Handed over, by region: values before it, and totals of loops after it.
  std::map<uint64_t, std::set<uint64_t>> SymbolsOf, TotalsOf;
  std::map<uint64_t, double> Constant; // values in the target
  /// Values that change, by phase, if all tasks of the phase have the same.
  std::map<uint32_t, std::map<uint64_t, double>> InPhase;
  std::vector<KnownSymbol> Totals; // of loops, in the order of phases
  /// Those of the phases before the one up to which they were asked for last.
  struct {
    LatestTotals Its;
    size_t Count = 0;
  } Latest;
  std::map<InstanceKey, double> Expected; // bytes
  std::vector<bool> Gathers; // by phase: a team waits for what it gathers
  std::vector<size_t>
      NewlyKnown; // number of sizes and values, by phase: for knownUpTo
  std::vector<bool> HandsOver; // by phase
  PhaseLog Log;
  /// The last finished phase, and the next one whose placement is in Log: the
  /// phase that measured times can correct; EK_NO_TASK: none.
  uint32_t Over = EK_NO_TASK, PlacedPhase = EK_NO_TASK;

  void findTotals();
  void countKnown();

public:
  /// What \p R points to, and \p Predictor, must outlive this.
  HookWatch(const Facts &F, const Profile &Base, const ReplayRequest &R,
            const TargetPredictor &Predictor);

  /// Takes the prediction before the run: which phases gather.
  void begin(const Problem &P);
  /// Takes the sizes of \p P as the expected ones.
  void expect(const Problem &P);

  /// The objects allocated up to \p Phase that a hook has seen, including freed
  /// ones.
  std::vector<PredictedInstance> sizesUpTo(uint32_t Phase) const;
  /// The values that annotated programs hand over before the regions of all
  /// phases up to \p Next, which is about to begin, and after those before it.
  std::vector<KnownSymbol> symbolsUpTo(uint32_t Next);
  /// Whether values are handed over before a region of \p Phase.
  bool handsOver(uint32_t Phase) const {
    return Phase < HandsOver.size() && HandsOver[Phase];
  }
  /// The number of sizes, values and totals that became known up to the hook
  /// after \p Phase: see sizesUpTo(Phase) and symbolsUpTo(Phase + 1).
  size_t knownUpTo(uint32_t Phase) const;
  const PhaseMatch &match() const { return Match; }
  /// Whether one of \p Instances is unexpected, or its size differs by more
  /// than 5 % from the expected one. Sets \p Phase to that of the last
  /// allocation.
  bool unexpected(const std::vector<uint32_t> &Instances,
                  uint32_t &Phase) const;
  /// The expected size of \p I, if there is one.
  std::optional<double> expectedBytes(const PredictedInstance &I) const;

  /// Records the model's last prediction for the tasks of \p H before they run,
  /// with the units of \p P placed as in \p Fast.
  void predicted(const PredictedPhase &H, const std::vector<double> &Seconds,
                 const Problem &P, const std::vector<double> &Fast);

  /// The number of phases in the first prediction.
  size_t phases() const { return Gathers.size(); }
  /// \p Under is the plan that was in force; it must outlive this.
  void phaseEnded(uint32_t Phase, const std::vector<TaskResult> &Tasks,
                  const Plan &Under);

  const std::vector<MeasuredPhase> &measured() const { return Log.measured(); }
};

} // namespace evenkeel::cli

#endif
