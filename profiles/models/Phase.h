//===- Phase.h - time of a phase under a placement --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how long a phase takes: phaseSeconds(), and what it computes on the
// way, for planners that need the parts: loaded latencies, bytes per tier, the
// critical path.
// Not here: the simulator's timing, with which it shares no code.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_PHASE_H
#define EVENKEEL_PROFILES_MODELS_PHASE_H

#include "Model.h"
#include "problem/Problem.h"

namespace evenkeel {

struct PhaseState {
  double Seconds = 0;
  std::vector<double> TaskSeconds;
  std::vector<double> LatencyNs; // loaded, per tier
  /// What sets the time: "slowest task", "critical path", "work per worker",
  /// "read bandwidth of <tier>", "write bandwidth of <tier>".
  std::string Bound;
};

/// Factor on a tier's idle latency at \p Utilisation of its bandwidth, linear
/// between the machine's points and constant beyond them.
double loadedFactor(const Machine &M, double Utilisation);

std::vector<double> idleLatency(const Machine &M);

/// Seconds of one phase under a placement: max over tasks, or for explicit
/// tasks max(critical path, work / workers), and bandwidth limits per tier.
/// \p TaskSeconds, if given, gets each task's seconds.
double phaseSeconds(const PredictedPhase &P, const std::vector<double> &Fast,
                    const Machine &M, const Model &Mod,
                    std::vector<double> *TaskSeconds = nullptr);

PhaseState phaseState(const PredictedPhase &P, const std::vector<double> &Fast,
                      const Machine &M, const Model &Mod);

/// Which explicit task of a phase waits for which: built once, asked for many
/// task times.
class TaskGraph {
public:
  explicit TaskGraph(const PredictedPhase &P);

  bool any() const { return Any; } ///< whether any task waits for another

  /// Longest chain of tasks with the given times: seconds, and the tasks on it
  /// if \p Path is given.
  double criticalPath(const std::vector<double> &Seconds,
                      std::vector<uint32_t> *Path = nullptr) const;

  /// Seconds until all tasks are done if \p Workers take whichever of those
  /// that are ready comes first in the phase (Graham 1969, list scheduling).
  double schedule(const std::vector<double> &Seconds, unsigned Workers) const;

private:
  bool Any = false;
  std::vector<uint32_t> First; ///< of each task's successors
  std::vector<uint32_t> Succs, Order;
};

/// Seconds of \p P, in state \p S, where workers take explicit tasks in their
/// order: as replay has it, and no less than the bounds.
double orderedSeconds(const PredictedPhase &P, const PhaseState &S);

struct Span;
/// The same of \p P cut into \p Spans (Spans.h).
PhaseState settleSpans(const PredictedPhase &P, const std::vector<Span> &Spans,
                       const TaskGraph &Graph, const Machine &M);

/// Sum of phaseSeconds over all phases.
double makespan(const Problem &P, const std::vector<double> &Fast,
                const Machine &M, const Model &Mod);

} // namespace evenkeel

#endif
