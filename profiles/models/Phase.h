//===- Phase.h - time of a phase under a placement --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the time of a phase: phaseSeconds(), and its parts for planners:
// loaded latencies, bytes per tier, the critical path.
// Not here: the simulator's timing, which shares no code with this.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_PHASE_H
#define EVENKEEL_PROFILES_MODELS_PHASE_H

#include "Model.h"
#include "problem/Problem.h"

namespace evenkeel {

/// What determines the time of a phase.
struct PhaseBound {
  enum class By {
    SlowestTask,
    CriticalPath,
    Work, ///< total work per worker
    ReadBandwidth,
    WriteBandwidth
  };
  By What = By::SlowestTask;
  size_t Tier = 0; // whose bandwidth

  bool isBandwidth() const {
    return What == By::ReadBandwidth || What == By::WriteBandwidth;
  }
  bool operator==(const PhaseBound &O) const {
    return What == O.What && Tier == O.Tier;
  }
};

/// "slowest task", "critical path", "work per worker", "read bandwidth of
/// TIER".
std::string boundText(const PhaseBound &B, const Machine &M);

struct PhaseState {
  double Seconds = 0;
  std::vector<double> TaskSeconds;
  std::vector<double> LatencyNs; // loaded, per tier
  PhaseBound Bound;
};

/// The factor on a tier's idle latency at \p Utilisation of its bandwidth:
/// linear between the machine's points, constant beyond them.
double loadedFactor(const Machine &M, double Utilisation);

std::vector<double> idleLatency(const Machine &M);

/// Seconds of one phase under a placement: the maximum of task times (for
/// explicit tasks: of critical path and work / workers) and bandwidth limits of
/// the tiers. If \p TaskSeconds is given, it is set to the seconds of each
/// task.
double phaseSeconds(const PredictedPhase &P, const std::vector<double> &Fast,
                    const Machine &M, const Model &Mod,
                    std::vector<double> *TaskSeconds = nullptr);

PhaseState phaseState(const PredictedPhase &P, const std::vector<double> &Fast,
                      const Machine &M, const Model &Mod);

/// Dependences among the explicit tasks of a phase: built once and used with
/// many sets of task times.
class TaskGraph {
public:
  explicit TaskGraph(const PredictedPhase &P);

  bool any() const { return Any; } ///< whether any task depends on another

  /// The seconds of the longest chain of tasks, for the given task times; sets
  /// \p Path, if given, to the tasks of this chain.
  double criticalPath(const std::vector<double> &Seconds,
                      std::vector<uint32_t> *Path = nullptr) const;

  /// Seconds until all tasks are done if each of \p Workers, when free, takes
  /// the first task of the phase that is ready (Graham 1969, list scheduling).
  double schedule(const std::vector<double> &Seconds, unsigned Workers) const;

private:
  bool Any = false;
  std::vector<uint32_t> First; ///< of each task's successors
  std::vector<uint32_t> Succs, Order;
};

/// Seconds of \p P, in state \p S, if workers take explicit tasks in their
/// order, as in replay; at least the bounds.
double orderedSeconds(const PredictedPhase &P, const PhaseState &S);

struct Span;
/// The same for \p P, cut into \p Spans (Spans.h).
PhaseState settleSpans(const PredictedPhase &P, const std::vector<Span> &Spans,
                       const TaskGraph &Graph, const Machine &M);

/// Sum of phaseSeconds over all phases.
double makespan(const Problem &P, const std::vector<double> &Fast,
                const Machine &M, const Model &Mod);

} // namespace evenkeel

#endif
