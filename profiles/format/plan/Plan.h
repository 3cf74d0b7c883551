//===- Plan.h - plan.json: which share of what lies where -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.plan/1", the one file that the runtime, the rewriter and the
// simulator read. A plan speaks of object instances as (site, context, creator
// thread, ordinal) with wildcards, and of 256 relative chunks that stretch to
// whatever size the instance has at run time.
//
//   {"schema","program":"<hash of the facts>","planner","model","machine",
//    "fast_bytes":N,"keeps_first_touch":bool,"all_fits":bool,
//    "base_input":"...",
//    "ranks":[0,N,..] (of MPI programs: each rank's first creator),
//    "objects":[{"site","at","context":"<id>"|null,"calls":["<place>",..],
//                "creator":N|null,"ordinal":N|null,"ordinal_of_site":N|null,
//                "alike":N,
//                "share":0..1,"ranges":[[from,to,share],...],
//                "predicted_bytes":N,"bytes_of_each":[least,most],
//                "gain_s":X,"reason":"..."}],
//    "changes":[{"phase":N,"objects":[..]}],   moves at the start of phases
//    "predicted":{"makespan_s","phases":[{"phase","region","at","sync",
//       "seconds","again":[N,..],
//       "tasks":[{"index","explicit","seconds","slow_only_s",
//                 "fast_only_s","bound_s"}]}]},
//    "replan":{..},                     all to plan again with (Replan.h)
//    "assumed":[...]}
// `creator`/`ordinal` null = any. `context` (optional): only instances that the
// site made through that chain of wrapper calls (ek_context.h), whose places
// are `calls`; before entries without one. `ordinal` counts the context's
// instances; a program that does not tell contexts has `ordinal_of_site`, which
// counts the site's. `alike` (optional): the next N - 1 ordinals have the same
// entry. `again` (optional): the numbers of later phases of which the same is
// predicted. Objects not named lie in the slow tier.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLAN_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLAN_H

#include "format/Error.h"
#include "format/ek_raw.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// Chunks [From, To) of 256 have Share (0..1) of their bytes, the first part
/// of each chunk, in the fast tier.
struct PlanRange {
  unsigned From = 0, To = 0;
  double Share = 1;
};

/// What an instance is called in a run.
struct InstanceName {
  uint64_t Site = 0, Context = 0; // 0: none
  uint64_t Creator = 0;
  uint32_t Ordinal = 0, InContext = 0; // of the site's, of the context's
};
inline InstanceName nameOf(const ek_raw_inst &I) {
  return {I.site, I.context, I.creator, I.ordinal, I.in_context};
}

/// To look instances up by: those of a context by their order in it, so that
/// what others make does not matter.
using InstanceKey = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;
inline InstanceKey keyOf(const InstanceName &O) {
  return {O.Site, O.Context, O.Creator, O.Context ? O.InContext : O.Ordinal};
}

constexpr uint64_t PlanAny = UINT64_MAX;
/// How exactly an entry for (\p Context, 0: any; \p Creator, \p Ordinal,
/// PlanAny: any) names \p O of its site; -1: not at all. Where nothing else
/// speaks of one without a context, which may be not known, its order among the
/// site's tells.
inline int planRank(uint64_t Context, uint64_t Creator, uint64_t Ordinal,
                    uint64_t OfSite, const InstanceName &O) {
  if (Creator != PlanAny && Creator != O.Creator)
    return -1;
  const int Creators = Creator != PlanAny ? 2 : 0;
  if (Context && !O.Context)
    return OfSite == O.Ordinal ? Creators : -1;
  if (Context && Context != O.Context)
    return -1;
  if (Ordinal != PlanAny && Ordinal != (Context ? O.InContext : O.Ordinal))
    return -1;
  return (Context ? 8 : 4) + Creators + (Ordinal != PlanAny);
}

struct PlanObject {
  uint64_t Site = 0;
  std::string At;
  std::optional<uint64_t> Context;
  std::vector<std::string> Calls; // path:line:col, innermost first
  std::optional<uint32_t> Creator, Ordinal;
  std::optional<uint32_t> OfSite; // with a context: ordinal among the site's
  /// So many objects from Ordinal (and OfSite) on have such an entry each; more
  /// than 1 only as read for a run.
  uint32_t Alike = 1;
  uint64_t LeastBytes = 0, MostBytes = 0; // of an instance; 0: not known
  double Share = 0;                       // of the whole object
  /// Where it lies is the program's or the system's to say: it is touched first
  /// where there is room beside what the plan places.
  bool LeftAlone = false;
  std::vector<PlanRange> Ranges; // sorted, disjoint
  uint64_t PredictedBytes = 0;
  double GainSeconds = 0; // predicted makespan if it were slow, minus predicted
  std::string Reason;

  /// How exactly it names that instance; -1: not at all. Small blocks are the C
  /// library's.
  int rankFor(const InstanceName &O) const {
    if (Site != O.Site || EK_RAW_IS_SMALL(O.Ordinal))
      return -1;
    return planRank(Context.value_or(0), Creator ? *Creator : PlanAny,
                    Ordinal ? *Ordinal : PlanAny, OfSite ? *OfSite : PlanAny,
                    O);
  }
  bool covers(const InstanceName &O) const { return rankFor(O) >= 0; }
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
  std::string SyncAt = {}; // "cg.c:48 makeMatrix", for people; or ""
};

struct Plan {
  std::string Program; // hash of site and region ids: another program's plan
                       // is refused
  std::string Planner, Model, Machine;
  uint64_t FastBytes = 0;
  /// The most that its objects take of it at once.
  uint64_t ReservedBytes = 0;
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

  /// Best match for an instance: of its context first, then exact
  /// creator+ordinal, then wildcards.
  const PlanObject *find(const InstanceName &O) const;
};

enum class PlanUse {
  Look, ///< each object has its own entry
  /// Alike ones share one; reasons may be left out, and what planning again
  /// takes may be anything (readReplan says so).
  Run
};
Expected<Plan> readPlan(const std::string &Path, PlanUse For = PlanUse::Look);
std::string planToJson(const Plan &P);

struct Facts;
/// Hash over the sorted ids of sites and regions, 16 hex digits.
std::string programHash(const Facts &F);

} // namespace evenkeel

#endif
