//===- Planner.h - from facts and a base profile to a plan ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the two steps every planner shares: (1) extrapolate the base profile
// to the target (`predictTarget`), (2) place (`Planner::place`). `makePlan`
// joins them into a Plan.
// Leaves out: the simulator; the target's own record never comes here.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_PLANNER_H
#define EVENKEEL_PROFILES_PLANNER_PLANNER_H

#include "../format/Facts.h"
#include "../format/Machine.h"
#include "../format/SeenTypes.h"
#include "../format/Tuning.h"
#include "../models/Model.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include "problem/Estimate.h"
#include "problem/SharedList.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

/// A symbol value known for the target: `--for NAME=VALUE`, or
/// `--for NAME@TASK=VALUE` for the value of one task.
struct Given {
  std::string Name;
  std::optional<uint32_t> Task;
  double Value = 0;
};
Expected<Given> parseGiven(const std::string &Text);

/// Something that can be placed on its own: a run of relative chunks of one
/// object instance.
struct Unit {
  uint32_t Instance = 0; // index into Problem::Instances
  unsigned From = 0, To = 0;
  double Bytes = 0;
};

struct PredictedInstance {
  uint64_t Site = 0;
  uint64_t Context = 0; // ek_context.h; 0: none
  uint32_t Creator = 0;
  uint32_t Ordinal = 0, InContext = 0; // of the site's, of the context's
  double Bytes = 0;
  uint32_t AllocPhase = 0, FreePhase = EK_NO_TASK;
  std::string Method; // how the size was predicted
  /// Its formula has a quantity that nothing given has to do with, so it is
  /// taken to be as large as in the base run.
  bool SizeUntold = false;
  /// Whether a plan may say where it lies (Fixed.h).
  enum FixedType { Free, TierChosen, OnStack, Small, Unnamed } Fixed = Free;
};

inline InstanceName nameOf(const PredictedInstance &I) {
  return {I.Site, I.Context, I.Creator, I.Ordinal, I.InContext};
}

struct PredictedTask {
  uint64_t Region = 0;
  uint32_t Index = 0;
  bool Explicit = false;
  TaskDemand Demand;
  std::vector<uint32_t> Preds; // explicit tasks: indices within the phase
  /// What tasks of its type that ran before took, over what was predicted for
  /// them; Demand has it in its core time and exposed latencies.
  double TypeFactor = 1;
  bool ByOwnTimes = false; // corrected by its thread's (Locality.h)
  double Accesses = 0;     // of recorded objects, reads and writes
  /// How its parts were predicted, an entry for each object that it accesses.
  std::vector<Estimate> Estimates;
  CoreWay Core = CoreWay::Kept;
  /// Whether what is given or known at the hook determines Accesses and, where
  /// data are gathered, which of them come from memory; else some of it is an
  /// estimate (measured symbols that scale, ratios of sizes, how well gathers
  /// of the base input's data hit).
  bool Determined = false;
};

constexpr uint32_t AnyKind = 0; ///< of phases: not known, or all of them

struct PredictedPhase {
  uint32_t Phase = 0;
  uint64_t Region = 0;
  unsigned Workers = 1;
  SharedList<PredictedTask> Tasks;
  /// Instances whose lines the phase's tasks fetched more than once on the base
  /// input: how often depends on how near to each other they are used.
  SharedList<uint32_t> Gathered;
  /// Of a team: the same where its tasks were handed the same values on the
  /// base input, up to the same sync point.
  uint32_t Kind = AnyKind;
  /// Other instances of which data say what parts the phase's tasks fetch,
  /// where phases of its kind come again: they fetch the same parts.
  SharedList<uint32_t> Scattered = {};
};

/// What a planner gets: everything predicted for the target.
struct Problem {
  std::vector<PredictedInstance> Instances;
  std::vector<Unit> Units;
  std::vector<PredictedPhase> Phases;
  double FastBytes = 0;
  double PeakBytes = 0; // predicted peak of live bytes
  /// How each estimate was made, with counts: "closed form", "measured symbol,
  /// given", "measured symbol, scaled by ...", "size ratio".
  std::map<std::string, unsigned> Methods;
};

/// Whether no plan moves it (Fixed.h).
inline bool isFixed(const PredictedInstance &I) {
  return I.Fixed != PredictedInstance::Free;
}
inline bool isFixed(const Problem &P, uint32_t Unit) {
  return isFixed(P.Instances[P.Units[Unit].Instance]);
}
/// Whether a unit's fast bytes are a part of Problem::FastBytes.
inline bool takesRoom(const Problem &P, uint32_t Unit) {
  return P.Instances[P.Units[Unit].Instance].Fixed !=
         PredictedInstance::TierChosen;
}

/// Whether all that lives at once fits into the fast tier.
inline bool allFits(const Problem &P) { return P.PeakBytes <= P.FastBytes; }

/// Where units lie from the start of a phase on.
struct PlacementChange {
  uint32_t Phase = 0;
  std::vector<double> FastShare; // per unit
};

struct Placement {
  std::vector<double> FastShare;        // per unit, 0..1; as allocated
  std::vector<PlacementChange> Changes; // by phase
  bool KeepsFirstTouch = false;
  std::vector<std::string> Notes;
};

class Planner {
public:
  virtual ~Planner() = default;
  virtual std::string name() const = 0;
  virtual Placement place(const Problem &P, const Machine &M,
                          const Model &Mod) const = 0;
  /// Whether it knows of objects that nobody places (Fixed.h): else it is given
  /// a problem without them.
  virtual bool knowsFixed() const { return false; }
};

/// Errors: an unknown name (lists the names), a setting it does not have.
/// `merchandiser` is `greedy-5`, `soar` is `aol`.
Expected<std::unique_ptr<Planner>> makePlanner(const std::string &Name,
                                               const Settings &Tuned = {});
std::vector<std::string> plannerNames();
/// What can be tuned about a planner, and the grid that tuning walks.
const std::vector<Tunable> &plannerTunables(const std::string &Name);

/// How often a thread was sampled waiting for data of a chunk.
struct SampledStalls {
  uint32_t Task = 0; // index in the phase
  InstanceName Of;
  unsigned Chunk = 0;
  double Samples = 0;
};

/// What was predicted for a task at the last hook before its phase, without
/// what tasks of its type had told by then.
struct TaskExpectation {
  uint64_t Region = 0;
  double CoreSeconds = 0, Lines = 0, Seconds = 0;
};

/// A phase that is over, as a hook sees it.
struct MeasuredPhase {
  uint32_t Phase = 0;
  std::map<uint32_t, double> TaskSeconds; // of threads, by index
  const Plan *Under = nullptr; // the plan in force meanwhile; null: all slow
  std::vector<SampledStalls> Stalls; // empty where the machine samples none
  double LatenciesPerSample = 0;     // exposed ones
  std::map<uint32_t, double> ExplicitSeconds =
      {}; // of explicit tasks, by index
  /// By (explicit, index).
  std::map<std::pair<bool, uint32_t>, TaskExpectation> Expected = {};
  /// Fast shares of parts of objects (Unit) meanwhile; empty: not known.
  struct PlacedPart {
    uint32_t Instance;
    unsigned From, To;
    double Share;
  };
  std::vector<PlacedPart> Placed = {};
};

/// A symbol whose value in the target has been seen.
struct KnownSymbol {
  uint64_t Symbol = 0;
  double Value = 0;
  uint32_t Phase = EK_NO_TASK; ///< that has it; EK_NO_TASK: the whole program
};

struct PlanRequest {
  const Facts *F = nullptr;
  const Profile *Base = nullptr;
  const Machine *M = nullptr;
  std::string Fast; // "12.5%" of the predicted peak, or a size
  std::vector<Given> For;
  /// Sizes already known when re-planning at a hook: instances that exist.
  std::vector<PredictedInstance> KnownSizes;
  /// And symbols that are live: what regions that have begun were handed.
  std::vector<KnownSymbol> KnownSymbols;
  /// Phases that are over when re-planning at a hook, in order.
  std::vector<MeasuredPhase> Measured;
  /// What tasks took in earlier runs.
  SeenTypes Seen = {};
  std::string Planner = "balanced", Model = "overlap";
  /// Values of the planner's tunables; those not named have their default.
  Settings Tuned = {};
};

Expected<Problem> predictTarget(const PlanRequest &R);

/// \p M without the slowest tiers that \p Bytes never reach, as what leaves
/// tier 0 fills tier 1 first: planners tell fast memory from the rest by two
/// tiers.
Machine withoutUnreachedTiers(Machine M, double Bytes);

/// Seconds of one phase under a placement: max over tasks, or for explicit
/// tasks max(critical path, work / workers), and bandwidth limits per tier.
/// \p TaskSeconds, if given, gets each task's seconds.
double phaseSeconds(const PredictedPhase &P, const std::vector<double> &Fast,
                    const Machine &M, const Model &Mod,
                    std::vector<double> *TaskSeconds = nullptr);

/// Fast share of every unit of \p P where \p X is carried out.
std::vector<double> sharesOf(const Problem &P, const Plan &X);

/// The plan that carries \p Place out; \p P as predictTarget made it.
Plan planOf(const PlanRequest &R, const Problem &P, const Model &Mod,
            const Placement &Place);
/// The same without times, gains, reasons and what a re-plan needs: all that
/// carrying it out takes.
Plan layoutOf(const PlanRequest &R, const Problem &P, const Model &Mod,
              const Placement &Place);

Expected<Plan> makePlan(const PlanRequest &R, Problem *Out = nullptr);

/// Plan::ReplanJson for a plan that a program takes along (format/Replan.h).
std::string replanOf(const PlanRequest &R, const Plan &Made);

} // namespace evenkeel

#endif
