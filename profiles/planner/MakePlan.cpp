//===- MakePlan.cpp - write a placement as a plan -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to turn a placement into a plan: shares become ranges of relative
// chunks, and every object gets its predicted gain and a reason in plain words.
// Not here: the file format (format/plan/PlanFile.cpp).
//===----------------------------------------------------------------------===//
#include "Arenas.h"
#include "Planner.h"
#include "format/Identity.h"
#include "format/Replan.h"
#include "format/ek_sizes.h"
#include "models/PhaseUnder.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Fixed.h"
#include "predict/Confidence.h"
#include "predict/Refined.h"
#include "predict/base/Fold.h"
#include "problem/ReachedTiers.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

namespace {

std::string milliseconds(double Seconds) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.3g ms", Seconds * 1e3);
  return Text;
}

/// Shares in thousandths, rounded down so that the plan still fits.
double rounded(double Share) {
  if (Share > 0.9995)
    return 1;
  return std::floor(Share * 1000 + 1e-6) / 1000;
}

class PlanWriter {
  const PlanRequest &R;
  const Problem &P;
  const Model &Mod;
  std::vector<double> Fast;                             // rounded; as allocated
  std::vector<PlacementChange> Changes;                 // rounded
  std::vector<PhaseUnder> Under;                        // each phase as planned
  std::vector<std::vector<uint32_t>> PhasesOf, UnitsOf; // per instance
  bool Full = false;
  bool Explains = true;
  Plan Out;

public:
  PlanWriter(const PlanRequest &R, const Problem &P, const Model &Mod,
             const Placement &Place)
      : R(R), P(P), Mod(Mod) {
    for (double X : Place.FastShare)
      Fast.push_back(rounded(X));
    for (const PlacementChange &C : Place.Changes) {
      Changes.push_back({C.Phase, {}});
      for (double X : C.FastShare)
        Changes.back().FastShare.push_back(rounded(X));
    }
    Out.KeepsFirstTouch = Place.KeepsFirstTouch;
    Out.AllFits = Place.KeepsFirstTouch && allFits(P);
  }

  /// The plan with times, gains, reasons, and how estimates were made.
  Plan run();
  /// Only the placement.
  Plan layout();

private:
  std::string placeOf(uint64_t Region) const {
    const RegionFact *F = R.F->region(Region);
    return F ? F->At : std::string();
  }
  void index();
  void reserve();
  void times();
  void name(PlanObject &O, const PredictedInstance &I, bool Whose,
            bool Which) const;
  void add(const std::vector<uint32_t> &Group, bool Whose, bool Which);
  void objects();
  void changes();
  std::vector<PlanRange> ranges(uint32_t Instance,
                                const std::vector<double> &Fast) const;
  std::vector<PlanRange> ranges(uint32_t Instance) const {
    return ranges(Instance, Fast);
  }
  void arenas(std::vector<uint32_t> &Members);
  std::string effectText(const PlanEffect &E) const;
  void explain(PlanObject &O, const std::vector<uint32_t> &Members) const;
  json methods() const;
};

/// The place of each sync point, for people: "cg.c:48 makeMatrix".
static std::map<uint64_t, std::string> syncPlaces(const Facts &F) {
  std::map<uint64_t, std::string> Out;
  for (const SyncFact &S : F.Syncs)
    Out[S.Id] = S.At.substr(0, S.At.rfind(':')) + " " + S.Function;
  return Out;
}

void PlanWriter::times() {
  const std::map<uint64_t, std::string> Places = syncPlaces(*R.F);
  Under.reserve(P.Phases.size());
  std::vector<double> None(P.Units.size(), 0), All(P.Units.size(), 1);
  // Without moves, because a prediction does not know when a move ends.
  for (const PredictedPhase &H : P.Phases) {
    Under.emplace_back(H, Fast, *R.M, Mod);
    const PhaseState &S = Under.back().state();
    const double Seconds = orderedSeconds(H, S);
    Out.PredictedMakespan += Seconds;
    if (H.Tasks.empty())
      continue;
    std::vector<double> Slow = phaseState(H, None, *R.M, Mod).TaskSeconds;
    std::vector<double> Quick = phaseState(H, All, *R.M, Mod).TaskSeconds;
    PlanPhase X;
    X.Phase = H.Phase;
    X.Region = H.Region;
    X.At = placeOf(H.Region);
    if (H.Phase < R.Base->Phases.size())
      X.Sync = R.Base->Phases[H.Phase].sync;
    if (auto At = Places.find(X.Sync); At != Places.end())
      X.SyncAt = At->second;
    X.Seconds = Seconds;
    std::map<uint64_t, PlanTaskKind> Kinds;
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      X.Tasks.push_back({H.Tasks[T].Index, S.TaskSeconds[T], Slow[T], Quick[T],
                         H.Tasks[T].Explicit,
                         timeBound(H.Tasks[T], S.TaskSeconds[T])});
      if (!H.Tasks[T].Explicit)
        continue;
      PlanTaskKind &Kind = Kinds[H.Tasks[T].Region];
      Kind.Region = H.Tasks[T].Region;
      ++Kind.Tasks;
      Kind.Seconds += S.TaskSeconds[T];
    }
    for (const auto &[Region, Kind] : Kinds)
      X.TaskKinds.push_back(Kind);
    Out.Phases.push_back(std::move(X));
  }
}

std::vector<PlanRange>
PlanWriter::ranges(uint32_t Instance, const std::vector<double> &Fast) const {
  std::vector<PlanRange> V;
  if (isFixed(P.Instances[Instance]))
    return V;
  for (uint32_t U : UnitsOf[Instance]) {
    const Unit &X = P.Units[U];
    if (Fast[U] <= 0)
      continue;
    if (!V.empty() && V.back().To == X.From && V.back().Share == Fast[U])
      V.back().To = X.To;
    else
      V.push_back({X.From, X.To, Fast[U]});
  }
  return V;
}

/// "saves 3 ms in phase 4 (cg.c:88), where task 6 would be the slowest".
std::string PlanWriter::effectText(const PlanEffect &E) const {
  const std::string Place = placeOf(P.Phases[E.Phase].Region);
  std::string Out = "saves " + milliseconds(E.SavedSeconds) + " in phase " +
                    std::to_string(E.Phase) +
                    (Place.empty() ? "" : " (" + Place + ")");
  return Out + (E.Task ? ", where task " + std::to_string(*E.Task) +
                             " would be the slowest"
                       : ", which is bound by " + E.Bound);
}

/// Sets the gain and reason of an object that consists of \p Members
/// (instances).
void PlanWriter::explain(PlanObject &O,
                         const std::vector<uint32_t> &Members) const {
  // The phases that use it, each with those of its units that may be used.
  std::vector<std::pair<uint32_t, uint32_t>> Uses;
  for (uint32_t I : Members)
    for (uint32_t H : PhasesOf[I])
      for (uint32_t U : UnitsOf[I])
        Uses.emplace_back(H, U);
  std::sort(Uses.begin(), Uses.end());
  for (size_t At = 0; At < Uses.size() && O.Share > 0;) {
    const uint32_t H = Uses[At].first;
    std::vector<uint32_t> Units;
    for (; At < Uses.size() && Uses[At].first == H; ++At)
      Units.push_back(Uses[At].second);
    const PhaseState S = Under[H].without(Units);
    double Saved = S.Seconds - Under[H].state().Seconds;
    O.GainSeconds += Saved;
    if (Saved <= (O.Effect ? O.Effect->SavedSeconds : 0))
      continue;
    O.Effect = PlanEffect{H, Saved, boundText(S.Bound, *R.M), {}};
    if (S.Bound.What == PhaseBound::By::SlowestTask)
      O.Effect->Task = P.Phases[H]
                           .Tasks[size_t(std::max_element(S.TaskSeconds.begin(),
                                                          S.TaskSeconds.end()) -
                                         S.TaskSeconds.begin())]
                           .Index;
  }
  const char *Room = Full ? "fast memory is full" : "fast memory is not full";
  if (P.Instances[Members[0]].Fixed == PredictedInstance::TierChosen)
    O.Reason = "the program chose its tier; no plan overrules that, its bytes "
               "count as fast memory that is taken";
  else if (P.Instances[Members[0]].Fixed == PredictedInstance::OnStack)
    O.Reason = "lies on the stack, where no plan moves it";
  else if (P.Instances[Members[0]].Fixed == PredictedInstance::Small)
    O.Reason = "small blocks, which the C library mixes on its pages";
  else if (Out.KeepsFirstTouch)
    O.Reason = "first touch is predicted best; left where it falls";
  else if (Uses.empty())
    O.Reason = "no traffic to memory is predicted for it";
  else if (O.Share <= 0)
    O.Reason = Full ? "what lies in fast memory instead helps the slowest "
                      "tasks more per byte; fast memory is full"
                    : "fast memory would not make any phase shorter";
  else if (O.Effect)
    O.Reason = effectText(*O.Effect) + "; " + Room;
  else
    O.Reason = std::string("uses room that no slowest task needs; ") + Room;
}

void PlanWriter::name(PlanObject &O, const PredictedInstance &I, bool Whose,
                      bool Which) const {
  O.Site = I.Site;
  const SiteFact *S = R.F->site(O.Site);
  if (S)
    O.At = S->At;
  if (Whose && I.Context) {
    O.Context = I.Context;
    for (const SiteFact::Caller &C :
         S ? S->Contexts : std::vector<SiteFact::Caller>())
      if (C.Id == I.Context)
        O.Calls = C.Calls;
  }
  if (!Which)
    return;
  O.Creator = I.Creator;
  O.Ordinal = O.Context ? I.InContext : I.Ordinal;
}

/// Adds an entry for \p Group, instances with the same placement.
void PlanWriter::add(const std::vector<uint32_t> &Group, bool Whose,
                     bool Which) {
  PlanObject O;
  name(O, P.Instances[Group[0]], Whose, Which);
  if (O.Context && Group.size() == 1)
    O.OfSite = P.Instances[Group[0]].Ordinal;
  O.Ranges = ranges(Group[0]);
  for (const PlanRange &G : O.Ranges)
    O.Share += G.Share * (G.To - G.From) / EK_CHUNKS;
  O.Share = std::min(1.0, O.Share);
  O.Arena = isInArena(P.Instances[Group[0]]);
  if (O.Arena)
    O.Ranges.clear(); // all have the same share
  double Bytes = 0;
  O.LeastBytes = UINT64_MAX;
  for (uint32_t I : Group) {
    Bytes += P.Instances[I].Bytes;
    const auto Each = static_cast<uint64_t>(std::llround(P.Instances[I].Bytes));
    O.LeastBytes = std::min(O.LeastBytes, Each);
    O.MostBytes = std::max(O.MostBytes, Each);
  }
  O.PredictedBytes = static_cast<uint64_t>(std::llround(Bytes));
  O.LeftAlone = isFixed(P.Instances[Group[0]]);
  if (O.Arena) { // its blocks have no sizes of their own
    O.Context.reset();
    O.Ordinal.reset();
    O.LeastBytes = O.MostBytes = O.PredictedBytes;
  }
  if (Explains)
    explain(O, Group);
  if (O.Arena)
    O.Reason = "small blocks, with an arena: " + O.Reason;
  Out.Objects.push_back(std::move(O));
}

/// Adds the arenas of a site, one for each creator unless they are alike, and
/// removes their instances from \p Members.
void PlanWriter::arenas(std::vector<uint32_t> &Members) {
  std::map<uint32_t, std::vector<uint32_t>> Creators;
  std::vector<uint32_t> All, Others;
  for (uint32_t I : Members)
    (isInArena(P.Instances[I]) ? All : Others).push_back(I);
  Members = std::move(Others);
  for (uint32_t I : All)
    Creators[P.Instances[I].Creator].push_back(I);
  auto Share = [&](uint32_t I) {
    return UnitsOf[I].empty() ? 0 : Fast[UnitsOf[I][0]];
  };
  const bool Alike = std::all_of(All.begin(), All.end(), [&](uint32_t I) {
    return Share(I) == Share(All[0]);
  });
  if (Alike && !All.empty())
    add(All, /*Whose=*/false, /*Which=*/false);
  for (const auto &[Creator, Its] : Creators)
    if (!Alike)
      add(Its, /*Whose=*/false, /*Which=*/true);
}

/// Instances of a site, or else of a context, with the same placement become
/// one entry for any creator and ordinal, so that the target may have more or
/// fewer of them.
void PlanWriter::objects() {
  std::map<uint64_t, std::vector<uint32_t>> Sites;
  for (uint32_t I = 0; I < P.Instances.size(); ++I)
    if (P.Instances[I].Fixed != PredictedInstance::Unnamed)
      Sites[P.Instances[I].Site].push_back(I);
  auto Same = [](const PlanRange &X, const PlanRange &Y) {
    return X.From == Y.From && X.To == Y.To && X.Share == Y.Share;
  };
  auto Alike = [&](const std::vector<uint32_t> &Group) {
    const std::vector<PlanRange> First = ranges(Group[0]);
    return std::all_of(Group.begin(), Group.end(), [&](uint32_t I) {
      const std::vector<PlanRange> Its = ranges(I);
      return std::equal(First.begin(), First.end(), Its.begin(), Its.end(),
                        Same);
    });
  };
  for (auto &Entry : Sites) {
    arenas(Entry.second);
    if (Entry.second.empty())
      continue;
    // A plan lists small blocks only if the object has no other instances.
    std::vector<uint32_t> &Members = Entry.second;
    auto Small = [&](uint32_t I) {
      return P.Instances[I].Fixed == PredictedInstance::Small;
    };
    if (!std::all_of(Members.begin(), Members.end(), Small))
      Members.erase(std::remove_if(Members.begin(), Members.end(), Small),
                    Members.end());
    if (Alike(Members)) {
      add(Members, /*Whose=*/false, /*Which=*/false);
      continue;
    }
    std::map<uint64_t, std::vector<uint32_t>> Contexts;
    for (uint32_t I : Members)
      Contexts[P.Instances[I].Context].push_back(I);
    for (const auto &[Context, Group] : Contexts)
      if (Context && Alike(Group))
        add(Group, /*Whose=*/true, /*Which=*/false);
      else
        for (uint32_t I : Group)
          add({I}, /*Whose=*/true, /*Which=*/true);
  }
}

/// Adds the objects that each change moves, instance by instance.
void PlanWriter::changes() {
  const std::vector<double> *Before = &Fast;
  for (const PlacementChange &C : Changes) {
    PlanChange X;
    X.Phase = C.Phase;
    for (uint32_t I = 0; I < P.Instances.size(); ++I) {
      const PredictedInstance &Inst = P.Instances[I];
      bool Moves = false;
      for (uint32_t U : UnitsOf[I])
        Moves |= C.FastShare[U] != (*Before)[U];
      // Instances not yet allocated lie as at allocation; a change says nothing
      // new about them.
      if (!Moves || isFixed(Inst) || isInArena(Inst) ||
          !isLive(Inst, C.Phase) || Inst.AllocPhase == C.Phase)
        continue;
      PlanObject O;
      name(O, Inst, /*Whose=*/true, /*Which=*/true);
      O.Ranges = ranges(I, C.FastShare);
      for (const PlanRange &G : O.Ranges)
        O.Share += G.Share * (G.To - G.From) / EK_CHUNKS;
      O.Share = std::min(1.0, O.Share);
      O.Reason = "moved for phase " + std::to_string(C.Phase);
      X.Objects.push_back(std::move(O));
    }
    Before = &C.FastShare;
    if (!X.Objects.empty())
      Out.Changes.push_back(std::move(X));
  }
}

json PlanWriter::methods() const {
  json J = json::object();
  for (const auto &[Method, N] : P.Methods)
    J[Method] = N;
  return J;
}

void PlanWriter::index() {
  UnitsOf.resize(P.Instances.size());
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    UnitsOf[P.Units[U].Instance].push_back(U);
  Out.Program = programHash(*R.F);
  Out.Planner = R.Planner;
  Out.Model = R.Model;
  Out.Machine = R.M->Name;
  Out.FastBytes = static_cast<uint64_t>(P.FastBytes);
  Out.BaseInput = R.Base->Input;
  Out.Ranks = R.Base->Ranks;
  Out.Assumed = R.M->Assumed;
  reserve();
}

/// Sets the peak of the plan's objects in the fast tier.
void PlanWriter::reserve() {
  if (Out.KeepsFirstTouch)
    return;
  double Most = 0;
  for (size_t C = 0; C <= Changes.size(); ++C)
    Most = std::max(
        Most, mostPlaced(P, C ? Changes[C - 1].FastShare : Fast,
                         C ? Changes[C - 1].Phase : 0,
                         C < Changes.size() ? Changes[C].Phase : EK_NO_TASK));
  Out.ReservedBytes = static_cast<uint64_t>(std::ceil(Most));
}

Plan PlanWriter::layout() {
  Explains = false;
  index();
  objects();
  changes();
  return std::move(Out);
}

Plan PlanWriter::run() {
  index();
  PhasesOf.resize(P.Instances.size());
  for (uint32_t H = 0; H < P.Phases.size(); ++H)
    for (const PredictedTask &T : P.Phases[H].Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        auto &V = PhasesOf[P.Units[U.Unit].Instance];
        if (V.empty() || V.back() != H)
          V.push_back(H);
      }
  for (const PredictedPhase &H : P.Phases) {
    double Used = 0;
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (isLive(P.Instances[P.Units[U].Instance], H.Phase) && takesRoom(P, U))
        Used += Fast[U] * P.Units[U].Bytes;
    Full |= Used >= figures().FullShare * P.FastBytes;
  }
  times();
  objects();
  changes();
  Out.ReplanJson = json({{"methods", methods()}}).dump();
  return std::move(Out);
}

} // namespace

static bool hasArenas(const Plan &P) {
  return std::any_of(P.Objects.begin(), P.Objects.end(),
                     [](const PlanObject &O) { return O.Arena; });
}

std::string evenkeel::replanOf(const PlanRequest &R, const Plan &Made) {
  // A new plan would know neither how much an arena holds by then, nor which of
  // its blocks are new.
  if (hasArenas(Made))
    return Made.ReplanJson;
  ReplanData D;
  D.F = *R.F;
  D.Base = foldPhases(*R.Base);
  D.M = *R.M;
  D.Fast = R.Fast;
  D.Planner = R.Planner;
  D.Model = R.Model;
  D.Seen = R.Seen;
  D.Fitted = R.Fitted;
  for (const PredictedInstance &I : R.KnownSizes)
    D.Sizes.emplace_back(nameOf(I), I.Bytes);
  for (const Given &G : R.For)
    D.For.emplace_back(G.Name, G.Task, G.Value);
  return replanToJson(D, Made.ReplanJson);
}

Plan evenkeel::planOf(const PlanRequest &R, const Problem &P, const Model &Mod,
                      const Placement &Place) {
  return PlanWriter(R, P, Mod, Place).run();
}

Plan evenkeel::layoutOf(const PlanRequest &R, const Problem &P,
                        const Model &Mod, const Placement &Place) {
  return PlanWriter(R, P, Mod, Place).layout();
}

static Expected<Plan> makeOne(PlanRequest R, Problem *Out) {
  Expected<std::unique_ptr<Planner>> Pl = makePlanner(R.Planner, R.Tuned);
  if (!Pl)
    return Pl.takeError();
  Expected<std::unique_ptr<Model>> Mod = makeModel(R.Model);
  if (!Mod)
    return Mod.takeError();
  TargetPredictor Predictor(R);
  Expected<Problem> P = predictRefined(Predictor, R, **Mod);
  if (!P)
    return P.takeError();
  const Machine Reached = withoutUnreachedTiers(*R.M, P->PeakBytes);
  R.M = &Reached;
  Placement Place = (*Pl)->place(
      (*Pl)->knowsFixed() ? *P : withoutFixed(*P, *R.M), *R.M, **Mod);
  if (!R.Base->Ranks.empty() && R.Planner == OwnPlanner)
    Place.Changes.clear(); // ranks agree on moves only at looks
  if (R.Arenas && !Place.KeepsFirstTouch)
    levelArenas(*P, Place);
  if (!Place.KeepsFirstTouch) {
    completeShares(*P, Place.FastShare);
    for (PlacementChange &C : Place.Changes)
      completeShares(*P, C.FastShare);
  }
  Plan Result = planOf(R, *P, **Mod, Place);
  if (!Result.Changes.empty() && Place.MovingSeconds > 0)
    Result.MovingMakespan = Place.MovingSeconds;
  Result.Notes = std::move(Place.Notes);
  const double Small = R.Planner == OwnPlanner ? fetchedWithoutArena(*P) : 0;
  if (!R.Arenas && Small >= figures().ArenaWorthANote) {
    char Text[160];
    std::snprintf(Text, sizeof Text,
                  "%.0f %% of what tasks fetch from memory is in blocks below "
                  "%u KiB, which this plan does not place; --arenas does",
                  100 * Small, EK_LARGE_BYTES / 1024);
    Result.Notes.push_back(Text);
  }
  Result.Values = handedValues(*R.F);
  for (PlanValue &V : Result.Values)
    if (!V.IsTotal) // threads have totals of their own
      V.Expected = Predictor.expected(V.Symbol);
  for (const PlanPhase &H : Result.Phases)
    for (const PlanTask &T : H.Tasks)
      if (!(T.Seconds >= 0) || !(T.SlowOnlySeconds >= 0) ||
          !std::isfinite(T.SlowOnlySeconds))
        return Error{"task " + std::to_string(T.Index) + " of phase " +
                     std::to_string(H.Phase) +
                     " has no sensible predicted time: the facts or the base "
                     "profile hold absurd numbers; make them anew"};
  if (Out)
    *Out = std::move(*P);
  return Result;
}

Expected<Plan> evenkeel::makePlan(const PlanRequest &R, Problem *Out) {
  PlanRequest Without = R;
  Without.Arenas = false;
  if (!R.Arenas)
    return makeOne(R, Out);
  Problem P;
  Expected<Plan> With = makeOne(R, &P), Else = makeOne(Without, Out);
  if (!With || !Else)
    return With ? Else.takeError() : With.takeError();
  const double Bound = Else->makespan() * (1 - figures().ArenaGain);
  if (With->KeepsFirstTouch || !hasArenas(*With) || With->makespan() > Bound) {
    Else->Notes.push_back(
        "no arenas for small blocks: they would not make the run shorter");
    return Else;
  }
  With->Notes.push_back(
      "small blocks get arenas: hooks do not plan again in this run");
  if (Out)
    *Out = std::move(P);
  return With;
}
