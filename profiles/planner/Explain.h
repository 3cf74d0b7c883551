//===- Explain.h - why an object lies where it lies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the same prediction that made the plan, asked anew: what if this
// object lay entirely in slow memory, what if in fast memory, everything else
// as planned; which task would feel it, and what holds each phase up.
// Leaves out: text (utils/cli/tables/ExplainPrinter.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_EXPLAIN_H
#define EVENKEEL_PROFILES_PLANNER_EXPLAIN_H

#include "Planner.h"

namespace evenkeel {

/// All that a site makes, or with a context what it makes in that.
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
  std::string Bound; // what the phase waits for: "slowest task", ...
  uint32_t SlowestTask = 0;
  double Seconds = 0;     // as planned
  double SlowSeconds = 0; // the object in slow memory
  double FastSeconds = 0; // the object in fast memory
  /// The task that the object matters most to, and its time in the three.
  uint32_t Task = 0;
  double TaskSeconds = 0, TaskSlowSeconds = 0, TaskFastSeconds = 0;
};

struct ObjectExplanation {
  double Bytes = 0, FastShare = 0;
  std::vector<PhaseEffect> Phases; // in order
  /// Makespan as planned, with the object slow, with it fast.
  double Makespan = 0, SlowMakespan = 0, FastMakespan = 0;
  /// How much of what the object costs its tasks the program feels: makespan
  /// between slow and fast, over the same of the most affected tasks; 0 where
  /// they wait for others anyway, 1 where all others wait for them. Above 1
  /// where less load on a tier makes other tasks faster as well.
  double Criticality = 0;
  /// Some phase fills at least 98 % of the fast memory.
  bool Full = false;
  /// Of the objects that lie fast, at least in part, and live in the phase that
  /// this one matters most to, the one with the smallest gain per byte, which
  /// would be first to give way; site 0: none.
  ObjectName Next;
  double NextGainPerMiB = 0; // seconds of makespan
};

/// \p P and \p X as makePlan gave them, \p M without tiers that are not
/// reached. False where \p P has no instance of \p Which.
bool explainObject(const Problem &P, const Plan &X, const Machine &M,
                   const Model &Mod, const ObjectName &Which,
                   ObjectExplanation &Out);

} // namespace evenkeel

#endif
