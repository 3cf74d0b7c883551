//===- Plan.h - plan.json: which data lie in which tier ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.plan/1", which the runtime, the rewriter and the simulator
// read. A plan identifies object instances by (site, context, creator thread,
// ordinal), with wildcards, and places 256 relative chunks of them, which
// stretch to the size that the instance has at run time.
//
//   {"schema","program":"<hash of the facts>","planner","model","machine",
//    "fast_bytes":N,"keeps_first_touch":bool,"all_fits":bool,
//    "base_input":"...",
//    "ranks":[0,N,..] (of MPI programs: each rank's first creator),
//    "objects":[{"site","at","context":"<id>"|null,"calls":["<place>",..],
//                "creator":N|null,"ordinal":N|null,"ordinal_of_site":N|null,
//                "alike":N,"arena":true,
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
// `creator`/`ordinal` null = any. `context` (optional): only instances
// allocated through that chain of wrapper calls (ek_context.h), whose places
// are `calls`; such entries precede those without a context. `ordinal` counts
// the context's instances; programs that do not record contexts use
// `ordinal_of_site`, which counts the site's. `alike` (optional): the next N -
// 1 ordinals have the same entry. `arena` (optional): the entry is for all
// small blocks of the site, which get pages of their own and the same share of
// each of them; other entries are for large blocks. `again` (optional): the
// numbers of later phases with the same prediction. Objects that are not listed
// lie in the slow tier.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLAN_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLAN_H

#include "HandedValues.h"
#include "format/Error.h"
#include "format/ek_raw.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// Share (0..1) of the bytes of chunks [From, To) lie in the fast tier: the
/// first bytes of each chunk.
struct PlanRange {
  unsigned From = 0, To = 0;
  double Share = 1;
};

/// The identity of an instance in a run.
struct InstanceName {
  uint64_t Site = 0, Context = 0; // 0: none
  uint64_t Creator = 0;
  uint32_t Ordinal = 0,
           InContext = 0; // ordinal within the site, within the context
};
inline InstanceName nameOf(const ek_raw_inst &I) {
  return {I.site, I.context, I.creator, I.ordinal, I.in_context};
}

/// Key of an instance. Instances with a context count within it, so that
/// allocations in other contexts do not matter.
using InstanceKey = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;
inline InstanceKey keyOf(const InstanceName &O) {
  return {O.Site, O.Context, O.Creator, O.Context ? O.InContext : O.Ordinal};
}

constexpr uint64_t PlanAny = UINT64_MAX;
/// How specifically an entry for (\p Context, 0: any; \p Creator, \p Ordinal,
/// PlanAny: any) of the same site names \p O; -1: it does not. If \p O has no
/// known context, an entry with a context matches by the ordinal within the
/// site.
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

/// What an object's place in fast memory brings where it brings most.
struct PlanEffect {
  uint32_t Phase = 0;
  double SavedSeconds = 0; // of the phase
  /// What would bound the phase with the object in slow memory: "slowest task",
  /// "read bandwidth of CXL", ...
  std::string Bound;
  std::optional<uint32_t> Task; // for "slowest task": which one
};

struct PlanObject {
  uint64_t Site = 0;
  std::string At;
  std::optional<uint64_t> Context;
  std::vector<std::string> Calls; // path:line:col, innermost first
  std::optional<uint32_t> Creator, Ordinal;
  std::optional<uint32_t> OfSite; // with a context: ordinal among the site's
  /// The entry holds for this many objects, from Ordinal (and OfSite) on; more
  /// than 1 only if the plan is read for a run.
  uint32_t Alike = 1;
  bool Arena = false; // of the site's small blocks; no ordinal, no ranges
  uint64_t LeastBytes = 0, MostBytes = 0; // sizes of an instance; 0: not known
  double Share = 0;                       // of the whole object
  /// The plan does not place it: the program or the system decides, and it is
  /// touched first in the room left by planned objects.
  bool LeftAlone = false;
  std::vector<PlanRange> Ranges; // sorted, disjoint
  uint64_t PredictedBytes = 0;
  double GainSeconds =
      0; // predicted makespan with it in slow memory, minus the predicted one
  std::string Reason;
  /// The reason as figures; not in the file, and only where SavedSeconds > 0.
  std::optional<PlanEffect> Effect = {};

  /// How specifically the entry names the instance; -1: it does not. Small
  /// blocks belong to the C library unless the site has an arena.
  int rankFor(const InstanceName &O) const {
    if (Site != O.Site || Arena != EK_RAW_IS_SMALL(O.Ordinal))
      return -1;
    return planRank(Context.value_or(0), Creator ? *Creator : PlanAny,
                    Ordinal ? *Ordinal : PlanAny, OfSite ? *OfSite : PlanAny,
                    O);
  }
  bool covers(const InstanceName &O) const { return rankFor(O) >= 0; }
};

/// Objects that move at the start of a phase, with their new placement.
struct PlanChange {
  uint32_t Phase = 0;
  std::vector<PlanObject> Objects;
};

/// Replaces the entries of \p Objects that \p C has, too, and adds its others.
void applyChange(std::vector<PlanObject> &Objects, const PlanChange &C);

struct PlanTask {
  uint32_t Index = 0;
  double Seconds = 0, SlowOnlySeconds = 0, FastOnlySeconds = 0;
  bool Explicit = false; // explicit tasks and threads have separate numbers
  double BoundSeconds =
      0; // with 90 % probability, Seconds is off by no more than this
};

/// The explicit tasks of one region in a phase: what a run sees of them, as
/// their numbers are those of the record.
struct PlanTaskKind {
  uint64_t Region = 0, Tasks = 0;
  double Seconds = 0; // predicted, of all of them

  bool operator==(const PlanTaskKind &O) const {
    return Region == O.Region && Tasks == O.Tasks && Seconds == O.Seconds;
  }
};

struct PlanPhase {
  uint32_t Phase = 0;
  uint64_t Region = 0;
  std::string At;
  double Seconds = 0; // predicted for the phase
  std::vector<PlanTask> Tasks;
  /// The hook that ends it; 0: none (serial code before a team), or unknown.
  uint64_t Sync = 0;
  std::string SyncAt = {}; // "cg.c:48 makeMatrix", for display; or ""
  std::vector<PlanTaskKind> TaskKinds = {}; // by region
};

/// Our own planner, and the policy that plans with it again at every hook.
inline constexpr char OwnPlanner[] = "balanced";
/// The policy that carries out its plan without changes.
inline constexpr char OwnStatic[] = "balanced-static";

struct Plan {
  std::string Program; // hash of site and region ids: plans of other programs
                       // are refused
  std::string Planner, Model, Machine;
  uint64_t FastBytes = 0;
  /// The most fast memory that its objects need at one time.
  uint64_t ReservedBytes = 0;
  bool KeepsFirstTouch = false;
  /// The reason for KeepsFirstTouch is that all data is predicted to fit in the
  /// fast tier; if it does not fit at run time, hooks move data.
  bool AllFits = false;
  std::string BaseInput;
  /// For MPI programs: the first creator number of each rank, rising from 0;
  /// empty: one process.
  std::vector<uint32_t> Ranks;
  std::vector<PlanObject> Objects;
  /// Moves between phases, ordered by phase.
  std::vector<PlanChange> Changes;
  double PredictedMakespan = 0;         ///< without moves
  std::optional<double> MovingMakespan; ///< the same with Changes, if predicted
  std::vector<PlanPhase> Phases;
  /// What the program hands over before its regions; see HandedValues.h.
  std::vector<PlanValue> Values;
  std::string ReplanJson; // the "replan" member, verbatim
  std::vector<std::string> Assumed;
  /// The planner's remarks about the plan; not in the file.
  std::vector<std::string> Notes;

  /// The predicted makespan with all that the plan does.
  double makespan() const { return MovingMakespan.value_or(PredictedMakespan); }

  /// The best match for an instance: entries of its context first, then exact
  /// creator and ordinal, then wildcards.
  const PlanObject *find(const InstanceName &Name) const;
};

enum class PlanUse {
  Look, ///< each object has its own entry
  /// Alike objects share an entry; reasons may be missing; the data for
  /// planning again is not checked (readReplan does that).
  Run
};
Expected<Plan> readPlan(const std::string &Path, PlanUse For = PlanUse::Look);
std::string planToJson(const Plan &P);

struct Facts;
/// Hash of the sorted ids of sites and regions, 16 hex digits.
std::string programHash(const Facts &F);

} // namespace evenkeel

#endif
