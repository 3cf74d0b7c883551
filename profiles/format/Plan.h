//===- Plan.h - plan.json: which share of what lies where -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.plan/1", the one file that the runtime, the rewriter and the
// simulator read. A plan speaks of object instances as (site, creator thread,
// ordinal) with wildcards, and of 256 relative chunks that stretch to whatever
// size the instance has at run time.
//
//   {"schema","program":"<hash of the facts>","planner","model","machine",
//    "fast_bytes":N,"keeps_first_touch":bool,"all_fits":bool,
//    "base_input":"...",
//    "ranks":[0,N,..] (of MPI programs: each rank's first creator),
//    "objects":[{"site","at","context":"<id>"|null,
//                "creator":N|null,"ordinal":N|null,
//                "share":0..1,"ranges":[[from,to,share],...],
//                "predicted_bytes":N,"gain_s":X,"reason":"..."}],
//    "changes":[{"phase":N,"objects":[..]}],   moves at the start of phases
//    "predicted":{"makespan_s","phases":[{"phase","region","at","sync",
//       "seconds",
//       "tasks":[{"index","explicit","seconds","slow_only_s",
//                 "fast_only_s","bound_s"}]}]},
//    "replan":{..},                     all to plan again with (Replan.h)
//    "assumed":[...]}
// `creator`/`ordinal` null = any. `context` (optional): only instances that the
// site made through that chain of wrapper calls, before entries without one; it
// is known at run time only (runtime/src/context.h). Objects not named lie in
// the slow tier.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_H

#include "Error.h"
#include "ek_raw.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// Chunks [From, To) of 256 have Share (0..1) of their bytes, the first part
/// of each chunk, in the fast tier.
struct PlanRange {
  unsigned From = 0, To = 0;
  double Share = 1;
};

struct PlanObject {
  uint64_t Site = 0;
  std::string At;
  std::optional<uint64_t> Context;
  std::optional<uint32_t> Creator, Ordinal;
  double Share = 0;              // of the whole object
  std::vector<PlanRange> Ranges; // sorted, disjoint
  uint64_t PredictedBytes = 0;
  double GainSeconds = 0; // predicted makespan if it were slow, minus predicted
  std::string Reason;

  /// Whether it speaks of that instance, in whatever context; small blocks
  /// (EK_RAW_SMALL) are the C library's.
  bool covers(uint64_t OfSite, uint32_t By, uint32_t Number) const {
    return Site == OfSite && Number != EK_RAW_SMALL &&
           (!Creator || *Creator == By) && (!Ordinal || *Ordinal == Number);
  }
};

/// Objects that move at the start of a phase, with where they lie then.
struct PlanChange {
  uint32_t Phase = 0;
  std::vector<PlanObject> Objects;
};

struct PlanTask {
  uint32_t Index = 0;
  double Seconds = 0, SlowOnlySeconds = 0, FastOnlySeconds = 0;
  bool Explicit = false;   // explicit tasks and threads are numbered apart
  double BoundSeconds = 0; // nine times in ten Seconds is not further off
};

struct PlanPhase {
  uint32_t Phase = 0;
  uint64_t Region = 0;
  std::string At;
  double Seconds = 0; // predicted, of the phase
  std::vector<PlanTask> Tasks;
  /// The hook that ends it; 0: none does (serial code before a team), or it is
  /// not known.
  uint64_t Sync = 0;
};

struct Plan {
  std::string Program; // hash of site and region ids: another program's plan
                       // is refused
  std::string Planner, Model, Machine;
  uint64_t FastBytes = 0;
  bool KeepsFirstTouch = false;
  /// Of one that keeps first touch: since all is predicted to fit into the fast
  /// tier; where it turns out not to, hooks move what pays.
  bool AllFits = false;
  std::string BaseInput;
  /// Of plans for MPI programs: the number that each rank's creators count
  /// from, rising from 0; empty: one process.
  std::vector<uint32_t> Ranks;
  std::vector<PlanObject> Objects;
  /// Moves between phases, in order of phases.
  std::vector<PlanChange> Changes;
  double PredictedMakespan = 0;
  std::vector<PlanPhase> Phases;
  std::string ReplanJson; // the "replan" member, verbatim
  std::vector<std::string> Assumed;
  /// What the planner has to say of the whole plan; not in the file.
  std::vector<std::string> Notes;

  /// Best match for an instance whose context nobody knows: exact
  /// creator+ordinal first, then wildcards.
  const PlanObject *find(uint64_t Site, uint32_t Creator,
                         uint32_t Ordinal) const;
};

Expected<Plan> readPlan(const std::string &Path);
std::string planToJson(const Plan &P);

struct Facts;
/// Hash over the sorted ids of sites and regions, 16 hex digits.
std::string programHash(const Facts &F);

} // namespace evenkeel

#endif
