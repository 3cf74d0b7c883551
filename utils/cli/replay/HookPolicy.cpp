//===- HookPolicy.cpp - a planner that plans again at every hook ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookPolicy.h. Objects allocated later are placed by the simulator's
// policy for plans; of live objects, as many pages move as the trades at the
// hook say, in their order.
//===----------------------------------------------------------------------===//
#include "HookPolicy.h"
#include "LookBudget.h"
#include "PlacedShares.h"
#include "models/Phase.h"
#include "models/shares/Fixed.h"
#include "planner/HookPlanner.h"
#include "predict/base/Unlike.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

class Hooked : public HookPolicy {
  PlanRequest Q;
  TargetPredictor Predictor;
  ReplayRequest R;
  const bool Times;
  HookWatch Watch;
  std::unique_ptr<evenkeel::Model> Mod;
  std::vector<std::unique_ptr<Plan>> Plans; // the inner policies refer to them
  std::unique_ptr<Policy> Inner;
  size_t LastKnown = 0; // number of sizes and symbols at the last look
  std::map<uint64_t, double> LastValues; // by symbol, as expected or seen
  bool HandsOver = false;                // the program has handed over values
  bool PutOff = false; // a look is due as soon as it does so again
  bool Waits = false;  // a look is due as soon as all moves have ended
  LookBudget Budget;
  unsigned Hooks = 0, Skipped = 0; // hooks with something to look at
  TaskTimes Predicted, PredictedCore;
  std::map<std::string, unsigned> Failed;
  double TookSoFar = 0, PredictedSoFar = 0; // seconds of all tasks
  double PredictedOfAll = 0;                // including tasks to come
  bool Distrusts = false;
  UnlikeLog Unlike;
  unsigned UnlikePlans = 0;
  std::string SkipNote, UnlikeNote;
  std::vector<std::string> Notes; // other notes
  std::vector<DecidedPart> Decided;

  /// If a run takes this many times as long as predicted, it is not the planned
  /// one. Usual prediction errors are far below.
  static constexpr double MostSurprise = 1.5;
  /// The surprise must be at least this fraction of all predicted seconds.
  static constexpr double LeastSurprise = 0.01;

  const Plan &current() const { return *Plans.back(); }

  /// Records the current predictions for the phases from \p From on. Pages lie
  /// as in \p Now until \p Moves bring them to their places in the current
  /// plan.
  void predict(const Problem &P, uint32_t From, const std::vector<double> &Now,
               Trades Moves) {
    Moves.Fast = current().KeepsFirstTouch ? Now : sharesOf(P, current());
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (isFixed(P, U)) // the plan does not move it
        Moves.Fast[U] = Now[U];
    predictWhileMoving(
        P, From, Now, Moves, *Q.M, *Mod,
        [&](const PredictedPhase &H, const std::vector<double> &Seconds,
            const std::vector<double> &Fast) {
          Watch.predicted(H, Seconds, P, Fast);
          for (size_t T = 0; T < H.Tasks.size(); ++T) {
            const PredictedTask &X = H.Tasks[T];
            const TaskKey Key = taskKey(H.Phase, X.Index, X.Explicit);
            double &Its = Predicted[Key];
            PredictedOfAll += Seconds[T] - Its;
            Its = Seconds[T];
            PredictedCore[Key] = X.Demand.CoreSeconds;
          }
        });
  }
  void predict(const Problem &P, uint32_t From) {
    predict(P, From, sharesOf(P, current()), {});
  }

  /// The fastest tier for a page that leaves the fast tier: the same as for
  /// pages that do not fit there when they are placed.
  static unsigned firstBelowFast(const PageMap &Map, uint32_t I,
                                 uint32_t Page) {
    unsigned To = 1;
    while (!Map.fits(I, Page, To))
      ++To;
    return To;
  }

  /// The hook before the plan's phase \p From; there is none before its first.
  static uint32_t hookBefore(uint32_t From) { return From ? From - 1 : 0; }

  /// Whether a look is allowed now; if not, it is counted.
  bool mayLook() {
    ++Hooks;
    if (Budget.pays(Watch.phases()))
      return true;
    ++Skipped;
    SkipNote = "planned again at " + std::to_string(Hooks - Skipped) + " of " +
               std::to_string(Hooks) +
               " hooks: each look goes through all phases";
    return false;
  }

  /// Requests the moves for \p Steps, in their order.
  void requestMoves(PageMap &Map, const Problem &P,
                    const std::vector<TradeStep> &Steps) const {
    std::vector<uint32_t> Live = liveInstances(P, *R.Record, Map);
    std::map<uint32_t, double> Owed; // bytes, by unit; above 0: promotion
    std::set<std::pair<uint32_t, uint32_t>> Asked;
    auto Move = [&](uint32_t U, double Bytes) {
      const uint32_t I = Live[P.Units[U].Instance];
      if (I == EK_NO_TASK)
        return;
      double &Rest = Owed[U];
      Rest += Bytes;
      auto [From, To] = pagesOf(P.Units[U], I, Map);
      for (uint32_t Page = From; Page < To; ++Page) {
        const uint8_t Is = Map.tier(I, Page);
        const unsigned Target = Rest > 0 ? 0 : firstBelowFast(Map, I, Page);
        const double Size = double(Map.pageBytes(I, Page));
        if (std::fabs(Rest) < Size / 2)
          break;
        if (Is == PageMap::Unplaced || (Is == 0) == (Target == 0) ||
            !Asked.insert({I, Page}).second)
          continue;
        Map.requestMove(I, Page, Target);
        Rest += Target == 0 ? -Size : Size;
      }
    };
    for (const TradeStep &S : Steps) {
      if (S.Out != EK_NO_TASK)
        Move(S.Out, -S.Bytes);
      Move(S.In, S.Bytes);
    }
  }

  /// Pages that are not touched yet follow the plan when they are placed.
  void followUntouched(PageMap &Map) {
    for (uint32_t I = 0; I < R.Record->Instances.size(); ++I)
      if (Map.isLive(I) && Map.pages(I) > 0 &&
          Map.tier(I, 0) == PageMap::Unplaced)
        Inner->onAlloc(Map, I);
  }

public:
  Hooked(const PlanRequest &Q, const ReplayRequest &R, const HookSight &Sees)
      : Q(Q), Predictor(Q), R(R), Times(Sees.Times),
        Watch(*Q.F, *Q.Base, R, Predictor), Unlike(*Q.Base) {}

  MaybeError start(const FirstPlan *Made) {
    auto M = makeModel(Q.Model);
    if (!M)
      return M.takeError();
    Mod = std::move(*M);
    FirstPlan Own;
    if (!Made) {
      auto First = makePlan(Q, &Own.From);
      if (!First)
        return First.takeError();
      Own.Its = std::move(*First);
      Made = &Own;
    }
    const Problem &Problem = Made->From;
    auto Owned = std::make_unique<Plan>(Made->Its);
    // Every hook decides here with what it knows, also what was planned.
    Owned->Changes.clear();
    auto P = policyFor(*Owned);
    if (!P)
      return P.takeError();
    Inner = std::move(*P);
    for (const PlanValue &V : Owned->Values)
      if (V.Expected)
        LastValues[V.Symbol] = *V.Expected;
    Plans.push_back(std::move(Owned));
    Watch.begin(Problem);
    predict(Problem, 0);
    return std::nullopt;
  }

  Expected<std::unique_ptr<Policy>> policyFor(const Plan &X) const {
    ReplayRequest Own = R;
    Own.P = &X;
    return makePolicy(Q.Planner, Own);
  }

  std::string name() const override { return Q.Planner; }
  TaskTimes predicted() const override {
    return byPhaseOfRun(Predicted, Watch.match());
  }
  const std::map<std::string, unsigned> &failed() const override {
    return Failed;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> All = Notes;
    for (const std::string &Note : {SkipNote, UnlikeNote})
      if (!Note.empty())
        All.push_back(Note);
    return All;
  }
  const std::vector<DecidedPart> &decided() const override { return Decided; }
  bool keptFirstTouch() const override {
    return std::all_of(Plans.begin(), Plans.end(),
                       [](const auto &P) { return P->KeepsFirstTouch; });
  }
  /// At an allocation, the actual size is known. If the plan assumed another
  /// size, the object gets the bytes it was meant to get, and the use of the
  /// fast tier by later objects is decided again.
  void orderAllocations(const PageMap &Map,
                        std::vector<uint32_t> &Instances) override {
    uint32_t Phase = 0;
    const bool Surprise = Watch.unexpected(Instances, Phase);
    if (Distrusts)
      return;
    if (Unlike.begun()) { // the sizes of the next objects cannot be expected
      Inner->orderAllocations(Map, Instances);
      return;
    }
    if (Surprise && !mayLook()) {
      Inner->orderAllocations(Map, Instances);
      return;
    }
    if (Surprise &&
        Phase == 0) { // task times predicted with the sizes known by now
      PlanRequest Again = Q;
      Again.KnownSizes = withEarlier(Watch.sizesUpTo(Phase), Q.KnownSizes);
      Again.KnownSymbols = Watch.symbolsUpTo(Phase);
      if (auto P = predictRefined(Predictor, Again, *Mod))
        predict(*P, 0);
      else
        ++Failed[P.message()];
    }
    if (Surprise && Phase > 0) {
      PlanRequest Again = Q;
      Again.KnownSizes = withEarlier(Watch.sizesUpTo(Phase), Q.KnownSizes);
      Again.KnownSymbols = Watch.symbolsUpTo(Phase);
      if (Times)
        Again.Measured = Watch.measured();
      const uint32_t Now = Watch.match().current(Phase);
      auto Next = predictRefined(Predictor, Again, *Mod, Now);
      if (!Next) {
        ++Failed[Next.message()];
      } else if (current().KeepsFirstTouch) {
        Watch.expect(*Next); // first touch does not depend on sizes
        predict(*Next, Now);
      } else {
        const Problem &P = *Next;
        std::vector<double> Fast = sharesOf(P, current());
        for (size_t U = 0; U < Fast.size(); ++U) {
          const PredictedInstance &I = P.Instances[P.Units[U].Instance];
          const std::optional<double> Was = Watch.expectedBytes(I);
          if (I.AllocPhase >= Now && Was && I.Bytes > *Was)
            Fast[U] *= *Was / I.Bytes;
        }
        Placement Place;
        // Nothing moves here: only new allocations can be placed.
        Place.FastShare =
            tradeAtHook(P, std::move(Fast), hookBefore(Now), *Q.M, *Mod, false)
                .Fast;
        auto Owned = std::make_unique<Plan>(layoutOf(Again, P, *Mod, Place));
        if (auto Changed = policyFor(*Owned)) {
          Plans.push_back(std::move(Owned));
          Inner = std::move(*Changed);
          Watch.expect(*Next);
          predict(*Next, Now);
        } else {
          ++Failed[Changed.message()];
        }
      }
    }
    Inner->orderAllocations(Map, Instances);
  }
  void onAlloc(PageMap &Map, uint32_t Instance) override {
    if (!Distrusts)
      Inner->onAlloc(Map, Instance);
    const ek_raw_inst &X = Map.instance(Instance);
    if (!EK_RAW_IS_SMALL(X.ordinal) && mayBeUnlike())
      Unlike.object(X.site);
  }
  unsigned onFirstTouch(PageMap &Map, uint32_t Instance,
                        uint32_t Page) override {
    if (Distrusts)
      return 0; // or the next tier that has room
    return Inner->onFirstTouch(Map, Instance, Page);
  }

  /// Records the end of the phase, and whether the plan is for another run:
  /// then later allocations are placed by first touch.
  void compare(uint32_t Phase, const std::vector<TaskResult> &Tasks) {
    const uint32_t Ended = Watch.match().ended(Phase);
    for (const TaskResult &T : Tasks) {
      auto It = Predicted.find(taskKey(Ended, T.Index, T.Explicit));
      if (It == Predicted.end() && Ended >= Watch.phases())
        continue; // not in the plan
      const bool Known = It != Predicted.end();
      // Only the time spent waiting for memory depends on placement; a task
      // that computes longer does so anywhere.
      TookSoFar +=
          T.Seconds - T.CoreSeconds + (Known ? PredictedCore[It->first] : 0);
      PredictedSoFar += Known ? It->second : 0;
    }
    if (Distrusts || TookSoFar < MostSurprise * PredictedSoFar ||
        TookSoFar - PredictedSoFar < LeastSurprise * PredictedOfAll)
      return;
    Distrusts = true;
    char Text[200];
    std::snprintf(
        Text, sizeof(Text),
        "up to phase %u tasks waited for memory %.1f times as long as "
        "predicted; objects that are allocated later are placed by "
        "first touch",
        Phase, PredictedSoFar > 0 ? TookSoFar / PredictedSoFar : INFINITY);
    Notes.push_back(Text);
  }

  /// As in the runtime: not with several ranks, and not if first touch is
  /// always kept.
  bool mayBeUnlike() const {
    const Plan &First = *Plans.front();
    return R.Record->Ranks.empty() && (!First.KeepsFirstTouch || First.AllFits);
  }

  /// Whether the run has reached phases or objects that are not in the base
  /// profile: then plans are made for these.
  bool goesOnUnlike(PageMap &Map, uint32_t Phase,
                    const std::vector<TaskResult> &Tasks) {
    if (Distrusts || !mayBeUnlike())
      return false;
    UnlikePhase H;
    H.Sync = R.Record->Phases[Phase].sync;
    H.Region = Tasks.empty() ? 0 : Tasks.front().Region;
    H.Width = std::max<uint32_t>(R.Record->Phases[Phase].width, 1);
    if (Unlike.phaseEnded(H))
      planForUnlike(Map, Phase);
    if (Unlike.begun())
      UnlikeNote =
          "the run came to " + std::to_string(Unlike.phases()) +
          " phases and " + std::to_string(Unlike.objects()) +
          " objects that the base profile does not have; planned again " +
          std::to_string(UnlikePlans) + " times from the facts about them";
    return Unlike.begun();
  }

  void planForUnlike(PageMap &Map, uint32_t Phase) {
    PlanRequest Again = Q;
    Again.KnownSizes.clear(); // of phases that are over
    std::vector<LiveObject> Objects;
    for (uint32_t I = 0; I < R.Record->Instances.size(); ++I) {
      const ek_raw_inst &X = R.Record->Instances[I];
      if (X.alloc_phase > Phase || !Map.isLive(I) || !X.site)
        continue;
      Again.KnownSizes.push_back(knownSize(X));
      Objects.push_back({nameOf(X), double(X.bytes)});
    }
    const Profile Extended = withUnlike(*Q.Base, *Q.F, Objects, Unlike.seen());
    Again.Base = &Extended;
    TargetPredictor Fresh(Again);
    auto Made =
        decideAtHook(Fresh, Again, *Mod, uint32_t(Q.Base->Phases.size()) - 1,
                     [&](const Problem &P) {
                       return sharesByObject(current(), P, *R.Record, Map);
                     });
    if (!Made) {
      ++Failed[Made.message()];
      return;
    }
    if (Made->Chosen.Steps.empty() || leavesFirstTouch(current(), Made->P))
      return;
    UnlikePlans += carryOut(Map, Again, Made->P, Made->Chosen);
  }

  /// Makes \p Chosen the current plan. False: the plan cannot be carried out.
  bool carryOut(PageMap &Map, const PlanRequest &Again, const Problem &P,
                const Trades &Chosen) {
    Placement Place;
    Place.FastShare = Chosen.Fast;
    auto Owned = std::make_unique<Plan>(layoutOf(Again, P, *Mod, Place));
    auto NextPolicy = policyFor(*Owned);
    if (!NextPolicy) {
      ++Failed[NextPolicy.message()];
      return false;
    }
    const bool LeftFirstTouch = current().KeepsFirstTouch;
    Plans.push_back(std::move(Owned));
    Inner = std::move(*NextPolicy);
    Map.cancelMoves();
    if (LeftFirstTouch)
      followUntouched(Map);
    requestMoves(Map, P, Chosen.Steps);
    Watch.expect(P);
    return true;
  }

  /// The next phase that a hook ends. The runtime knows no other phases, so
  /// what a hook decides is for this one on.
  uint32_t nextTeam(uint32_t Phase) const {
    const auto &Phases = R.Record->Phases;
    for (uint32_t Next = Phase + 1; Next < Phases.size(); ++Next)
      if (Phases[Next].sync)
        return Next;
    return Phase + 1;
  }

  /// Takes the values that are handed over before \p Next. Returns whether one
  /// is not what the plan was made for, or not what it was before.
  bool takeNews(uint32_t Next) {
    bool News = false;
    for (const KnownSymbol &K : Watch.symbolsUpTo(Next)) {
      if (K.Task != EK_NO_TASK ||
          (K.Phase != EK_NO_TASK && K.Phase != Watch.match().current(Next)))
        continue;
      auto [It, New] = LastValues.try_emplace(K.Symbol, K.Value);
      News |= New || It->second != K.Value;
      It->second = K.Value;
    }
    return News;
  }

  /// Whether the runtime would look at the plan after \p Phase: at hooks, but
  /// if values are handed over before \p Next, only then; and where these are
  /// new.
  bool looksAfter(uint32_t Phase, uint32_t Next, size_t Known, bool Team,
                  bool Moving) {
    // As in the runtime, one that the plan does not have is none.
    const bool IsHook = R.Record->Phases[Phase].sync &&
                        Watch.match().ended(Phase) != PhaseMatch::None;
    const bool Told = Phase + 1 == Next && Watch.handsOver(Next);
    const bool News = Told && takeNews(Next);
    if (IsHook && !Told && HandsOver && Watch.handsOver(Next)) {
      PutOff = true;
      return false;
    }
    HandsOver |= Told;
    const bool Late = PutOff;
    PutOff = false;
    // As in the runtime, moves end before the next look. One that was asked for
    // meanwhile comes then, at a hook or not.
    const bool Looks =
        Late || News || Waits || (IsHook && (Team || Known != LastKnown));
    Waits = Looks && Moving;
    return Looks && !Moving;
  }

  void noteDecision(const Problem &P, uint32_t Phase,
                    const std::vector<double> &Was,
                    const std::vector<double> &Fast) {
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (Fast[U] != Was[U])
        Decided.push_back({Phase, nameOf(P.Instances[P.Units[U].Instance]),
                           P.Units[U].From, P.Units[U].To, Was[U], Fast[U]});
  }

  void onPhaseEnd(PageMap &Map, uint32_t Phase,
                  const std::vector<TaskResult> &Tasks) override {
    if (goesOnUnlike(Map, Phase, Tasks))
      return;
    if (Times)
      compare(Phase, Tasks);
    Watch.phaseEnded(Phase, Tasks, current());
    Budget.phaseEnded();
    const size_t Known = Watch.knownUpTo(Phase);
    const uint32_t Next = nextTeam(Phase);
    if (Distrusts) // predictions that required moves are not trusted
      Map.cancelMoves();
    if (!looksAfter(Phase, Next, Known, Tasks.size() > 1, Map.hasMoves()))
      return;
    if (!mayLook())
      return;
    LastKnown = Known;
    PlanRequest Again = Q;
    if (Times)
      Again.Measured = Watch.measured();
    Again.KnownSizes = withEarlier(Watch.sizesUpTo(Phase), Q.KnownSizes);
    Again.KnownSymbols = Watch.symbolsUpTo(Phase + 1);
    const uint32_t From = Watch.match().current(Next); // of the plan's phases
    auto Made = decideAtHook(
        Predictor, Again, *Mod, hookBefore(From), [&](const Problem &P) {
          return sharesByObject(current(), P, *R.Record, Map);
        });
    if (!Made) { // the current plan is possible and stays
      ++Failed[Made.message()];
      return;
    }
    const Problem &P = Made->P;
    const std::vector<double> &Now = Made->Now;
    if (Distrusts || leavesFirstTouch(current(), P)) {
      predict(P, From, Now, {});
      return;
    }
    Trades &Chosen = Made->Chosen;
    if (!Chosen.Steps.empty())
      noteDecision(P, From, Now, Chosen.Fast);
    if (!Chosen.Steps.empty() && !carryOut(Map, Again, P, Chosen))
      return;
    predict(P, From, Now, std::move(Chosen));
  }
};

} // namespace

Expected<std::unique_ptr<HookPolicy>>
evenkeel::cli::makeHookPolicy(const PlanRequest &Q, const ReplayRequest &R,
                              const HookSight &Sees, const FirstPlan *Made) {
  auto P = std::make_unique<Hooked>(Q, R, Sees);
  if (MaybeError E = P->start(Made))
    return *E;
  return std::unique_ptr<HookPolicy>(std::move(P));
}
