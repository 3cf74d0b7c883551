//===- HookWatch.h - what is known where all tasks wait ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the runtime knows at a hook: the objects that exist by now and
// how large they really are, how long the tasks of the phases that are over
// took, and for which addresses they were sampled waiting. Decides how often to
// sample.
// Not here: anything recorded of phases to come; what is made of the knowledge
// (HookPolicy.h, FixedPlacement.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKWATCH_H
#define EVENKEEL_UTILS_CLI_HOOKWATCH_H

#include "planner/HookPlanner.h"
#include "simulator/Replay.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace evenkeel::cli {

/// Threads and explicit tasks of a phase are numbered apart.
using TaskKey = std::tuple<uint32_t, bool, uint32_t>; // phase, explicit, index
inline TaskKey taskKey(uint32_t Phase, uint32_t Index, bool Explicit) {
  return {Phase, Explicit, Index};
}

/// Predicted seconds.
using TaskTimes = std::map<TaskKey, double>;

/// What a task does, apart from how long it takes: a prediction, or what the
/// record says.
struct TaskCount {
  double Accesses = 0;     // of recorded objects
  double Lines = 0;        // fetched from and written back to memory
  bool Determined = false; // see PredictedTask
  uint64_t Region = 0;
  CoreWay Core = CoreWay::Kept;
  double CoreSeconds = 0;
  double Bound = 0; // seconds; see timeBound
  /// Accesses and fetches by object; of a record without the ways.
  std::map<InstanceKey, Estimate> Objects = {};
};
using TaskCounts = std::map<TaskKey, TaskCount>;

class HookWatch {
  ReplayRequest R;
  const bool Sampling;
  std::map<uint64_t, std::set<uint64_t>> SymbolsOf; // by region: captured ones
  std::map<uint64_t, double> Constant;              // values in the target
  /// And of those that change: by phase, where all its tasks have the same.
  std::map<uint32_t, std::map<uint64_t, double>> InPhase;
  std::map<InstanceKey, double> Expected; // bytes
  std::vector<SampledStalls> Sampled;     // in the phase that just ended
  double Period = 0; // exposed latencies per sample, in that phase
  /// Latencies that a task of a team is to wait for, by phase; 0 where samples
  /// tell nothing.
  std::vector<double> Gathers;
  /// Kinds of phases of which only the next of its kind learns by samples, and
  /// those that were sampled. AnyKind: the others.
  std::vector<uint32_t> TellsKind;
  std::vector<unsigned> TellsLater; // phases of the same kind, by phase
  size_t LastGather = 0;            // the last phase with Gathers, and one
  std::vector<size_t> NewlyKnown;   // sizes and values by phase: knownUpTo
  std::set<uint32_t> Told;
  PhaseLog Log;
  /// Last phase that is over, and the one after it of which Log knows where
  /// data lie: the next that samples may tell of; EK_NO_TASK: none.
  uint32_t Over = EK_NO_TASK, PlacedPhase = EK_NO_TASK;

  void countKnown();

public:
  /// What \p R points to must live as long. Without \p Sampling the
  /// machine reports no addresses.
  HookWatch(const Facts &F, const ReplayRequest &R, bool Sampling);

  /// What was predicted before the run: how much tasks will gather, by phase.
  void begin(const Problem &P);
  /// Takes the sizes of \p P for those to expect.
  void expect(const Problem &P);

  /// Objects allocated up to \p Phase; those freed were seen as well.
  std::vector<PredictedInstance> sizesUpTo(uint32_t Phase) const;
  /// Values handed to the regions of all phases up to \p Next, which is about
  /// to begin: what they capture is live at the hook before them.
  std::vector<KnownSymbol> symbolsUpTo(uint32_t Next) const;
  /// How many sizes and values are known at the hook after \p Phase: those of
  /// sizesUpTo(Phase) and symbolsUpTo(Phase + 1).
  size_t knownUpTo(uint32_t Phase) const;
  /// Whether one of \p Instances is new or more than 5 % off what was expected;
  /// \p Phase gets the phase in which the last was allocated.
  bool unexpected(const std::vector<uint32_t> &Instances,
                  uint32_t &Phase) const;
  /// Bytes expected of \p I, if any were.
  std::optional<double> expectedBytes(const PredictedInstance &I) const;

  /// What the model says for the tasks of \p H, last before they run, with the
  /// units of \p P lying as \p Fast says.
  void predicted(const PredictedPhase &H, const std::vector<double> &Seconds,
                 const Problem &P, const std::vector<double> &Fast);

  /// Phases that the first prediction spoke of.
  size_t phases() const { return Gathers.size(); }
  /// Later phases that only samples of \p Phase can tell where their data lie;
  /// 0: none, or others may as well.
  unsigned tellsOnly(uint32_t Phase) const;
  /// Exposed latencies per sample for \p Phase; 0: no samples, as where they
  /// are not \p Wanted, or were taken of another phase of the kind.
  double samplePeriod(uint32_t Phase, bool Wanted = true);
  /// What sampling a phase costs each of its tasks.
  static double samplingSeconds();
  void samples(const std::vector<SampledStall> &Stalls);
  /// \p Under is the plan that was in force; it must live as long.
  void phaseEnded(uint32_t Phase, const std::vector<TaskResult> &Tasks,
                  const Plan &Under);

  const std::vector<MeasuredPhase> &measured() const { return Log.measured(); }
};

} // namespace evenkeel::cli

#endif
