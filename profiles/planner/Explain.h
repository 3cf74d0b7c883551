//===- Explain.h - reasons for an object's placement ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the prediction that made the plan, repeated with this object entirely
// in slow memory, and entirely in fast memory, everything else as planned;
// which task is affected, and what bounds each phase.
// Not here: text (utils/cli/tables/ExplainPrinter.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_EXPLAIN_H
#define EVENKEEL_PROFILES_PLANNER_EXPLAIN_H

#include "Planner.h"
#include "models/Phase.h"

namespace evenkeel {

/// All objects of a site or, with a context, the site's objects of that
/// context.
struct ObjectName {
  uint64_t Site = 0, Context = 0; // 0: any

  bool covers(const PredictedInstance &I) const {
    return I.Site == Site && (!Context || I.Context == Context);
  }
  bool operator<(const ObjectName &O) const {
    return std::tie(Site, Context) < std::tie(O.Site, O.Context);
  }
  bool operator==(const ObjectName &O) const {
    return Site == O.Site && Context == O.Context;
  }
};

/// One phase whose tasks access the object; seconds are predicted.
struct PhaseEffect {
  uint32_t Phase = 0;
  uint64_t Region = 0;
  PhaseBound Bound; // of the phase
  uint32_t SlowestTask = 0;
  double Seconds = 0;     // as planned
  double SlowSeconds = 0; // the object in slow memory
  double FastSeconds = 0; // the object in fast memory
  /// The task that is affected most, and its time in the three cases.
  uint32_t Task = 0;
  double TaskSeconds = 0, TaskSlowSeconds = 0, TaskFastSeconds = 0;
};

struct ObjectExplanation {
  double Bytes = 0, FastShare = 0;
  std::vector<PhaseEffect> Phases; // in order
  /// The makespan as planned, with the object slow, with it fast.
  double Makespan = 0, SlowMakespan = 0, FastMakespan = 0;
  /// How much of the object's effect on its tasks the program feels: the
  /// difference of makespan between slow and fast over that of the most
  /// affected tasks. 0: these tasks wait for other tasks anyway; 1: all other
  /// tasks wait for them; above 1: less load on a tier also makes other tasks
  /// faster.
  double Criticality = 0;
  /// Whether some phase fills at least 98 % of the fast memory.
  bool Full = false;
  /// Among objects at least partly in fast memory that live in the phase to
  /// which this one matters most, the one with the smallest gain per byte,
  /// which would be evicted first; site 0: none.
  ObjectName Next;
  double NextGainPerMiB = 0; // seconds of makespan
};

/// \p P and \p X as returned by makePlan, \p M without tiers that are not
/// reached. Returns false if \p P has no instance of \p Which.
bool explainObject(const Problem &P, const Plan &X, const Machine &M,
                   const Model &Mod, const ObjectName &Which,
                   ObjectExplanation &Out);

} // namespace evenkeel

#endif
