//===- Problem.h - the complete prediction for a target ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the predicted phases, tasks and objects of a run, and the units that
// can be placed independently. Prediction makes a Problem; models, planners and
// the runtime read it.
// Not here: how the numbers were predicted (predict/), where data is placed
// (Placement.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_PROBLEM_H
#define EVENKEEL_PROFILES_PROBLEM_PROBLEM_H

#include "Demand.h"
#include "Estimate.h"
#include "SharedList.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

/// A unit of placement: consecutive relative chunks of one object instance.
/// Invariants: From < To <= EK_CHUNKS; Bytes >= 0.
struct Unit {
  uint32_t Instance = 0;     ///< index into Problem::Instances
  unsigned From = 0, To = 0; ///< chunks [From, To)
  double Bytes = 0;
};

/// One object. Invariants: Bytes >= 0; AllocPhase <= FreePhase; (Site, Context,
/// Creator, Ordinal) names one instance of a problem.
struct PredictedInstance {
  uint64_t Site = 0; ///< 0: no site in the sources
  uint64_t Context =
      0; ///< id of the calls that led to the allocation (ek_context.h); 0: none
  uint32_t Creator = 0;   ///< index of the task that allocates it
  uint32_t Ordinal = 0;   ///< among the creator's instances of the site
  uint32_t InContext = 0; ///< the same among the instances of the context
  double Bytes = 0;
  /// First and last phase of its life; EK_NO_TASK: it lives until the end.
  uint32_t AllocPhase = 0, FreePhase = EK_NO_TASK;
  std::string Method; ///< how the size was predicted, for people
  /// Its formula contains a quantity that no given value determines, so the
  /// size of the base run is assumed.
  bool SizeNotGiven = false;
  /// Whether a plan may place it, and if not, why not.
  enum FixedType { Free, TierChosen, OnStack, Small, Unnamed } Fixed = Free;
};

inline InstanceName nameOf(const PredictedInstance &I) {
  return {I.Site, I.Context, I.Creator, I.Ordinal, I.InContext};
}

/// An instance of which nothing but its name is known.
inline PredictedInstance instanceNamed(const InstanceName &N) {
  PredictedInstance I;
  I.Site = N.Site;
  I.Context = N.Context;
  I.Creator = static_cast<uint32_t>(N.Creator);
  I.Ordinal = N.Ordinal;
  I.InContext = N.InContext;
  return I;
}

/// One task of a phase. Invariants: (Explicit, Index) names one task of the
/// phase; each entry of Preds is less than the number of tasks; Accesses >= 0.
struct PredictedTask {
  uint64_t Region = 0;
  uint32_t Index = 0;    ///< thread, rank or ordinal of an explicit task
  bool Explicit = false; ///< a task of the program, not a thread of a team
  TaskDemand Demand;
  std::vector<uint32_t> Preds; ///< explicit tasks: indices within the phase
  /// Measured over predicted seconds of earlier tasks of its type. Already
  /// included in the demand's core time and exposed latencies.
  double TypeFactor = 1;
  /// Corrected by the measured times of its own thread.
  bool ByOwnTimes = false;
  double Accesses = 0; ///< reads and writes of recorded objects
  /// How the parts were predicted, one entry for each object that it accesses.
  std::vector<Estimate> Estimates;
  CoreWay Core = CoreWay::Kept;
  double CoreOff = 0; ///< error bound of its logarithm, of CoreWay::Bases
  /// Given values, or values known at the hook, determine Accesses and, for
  /// gathers, which accesses reach memory. False: part of it is an estimate (a
  /// scaled symbol, a ratio of sizes, the hit ratio of the base input's
  /// gathers).
  bool Determined = false;
};

constexpr uint32_t AnyKind = 0; ///< of phases: not known, or all kinds

/// The part of a run between two points where all threads wait. Invariants:
/// Workers is at least 1; the indices in Gathered and Scattered are those of
/// instances.
struct PredictedPhase {
  uint32_t Phase = 0; ///< its number, from 0 in the order of the run
  uint64_t Region = 0;
  unsigned Workers = 1; ///< threads that execute explicit tasks
  SharedList<PredictedTask> Tasks;
  /// Instances whose lines the phase's tasks fetched more than once on the base
  /// input: how often depends on the distance between uses.
  SharedList<uint32_t> Gathered;
  /// Only for teams: phases of one kind got the same values on the base input
  /// and end at the same sync point.
  uint32_t Kind = AnyKind;
  /// Other instances of which data decides the fetched parts: phases of the
  /// same kind fetch the same parts.
  SharedList<uint32_t> Scattered = {};
};

/// The complete prediction for the target. Invariants: Unit::Instance and
/// UnitDemand::Unit are indices into the lists here; the units of an instance
/// cover each of its chunks exactly once; phases are in the order of the run.
struct Problem {
  std::vector<PredictedInstance> Instances;
  std::vector<Unit> Units;
  std::vector<PredictedPhase> Phases;
  double FastBytes = 0; ///< room in the fast tier
  double PeakBytes = 0; ///< predicted peak of live bytes
  /// How often each method of prediction was used (Estimate.h has the texts for
  /// counts, caches and core times, "count: closed form"; sizes have their
  /// own).
  std::map<std::string, unsigned> Methods;
};

/// Whether no plan moves it.
inline bool isFixed(const PredictedInstance &I) {
  return I.Fixed != PredictedInstance::Free;
}
inline bool isFixed(const Problem &P, uint32_t Unit) {
  return isFixed(P.Instances[P.Units[Unit].Instance]);
}
/// Whether a unit's fast bytes are part of Problem::FastBytes.
inline bool takesRoom(const Problem &P, uint32_t Unit) {
  return P.Instances[P.Units[Unit].Instance].Fixed !=
         PredictedInstance::TierChosen;
}

/// Whether all data that is live at the same time fits into the fast tier.
inline bool allFits(const Problem &P) { return P.PeakBytes <= P.FastBytes; }

/// Whether instance \p I holds memory during phase \p Phase.
inline bool isLive(const PredictedInstance &I, uint32_t Phase) {
  return I.AllocPhase <= Phase &&
         (I.FreePhase == EK_NO_TASK || Phase <= I.FreePhase);
}

/// Whether any of its tasks is an explicit one.
inline bool hasExplicit(const PredictedPhase &P) {
  return std::any_of(P.Tasks.begin(), P.Tasks.end(),
                     [](const PredictedTask &T) { return T.Explicit; });
}

/// Whether the threads of a team run it: then a task's index identifies its
/// part of the data.
inline bool isTeam(const PredictedPhase &P) {
  return P.Tasks.size() >= 2 && !hasExplicit(P);
}

} // namespace evenkeel

#endif
