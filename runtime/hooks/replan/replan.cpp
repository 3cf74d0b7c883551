//===- replan.cpp - planning again for the rest of the run ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See replan.h. The planner's times are those of a model, the run's are real:
// measured times and the cost per page are scaled by the ratio of all predicted
// to all measured times, so that only differences between tasks count. Throws
// nothing.
//===----------------------------------------------------------------------===//
#include "hooks/replan/replan.h"
#include "core/events.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "format/Replan.h"
#include "format/plan/AlikeEntries.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/here.h"
#include "hooks/replan/known.h"
#include "hooks/replan/live.h"
#include "hooks/replan/next_plan.h"
#include "placement/place.h"
#include "placement/unlike.h"
#include "planner/HookPlanner.h"
#include "predict/base/Prefix.h"
#include "predict/base/Unlike.h"
#include "predict/measured/TaskTypes.h"
#include "providers/provider.h"
#include "ranks/board.h"
#include "tuning/Tuning.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <malloc.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace evenkeel;

namespace {

/// Times of the slowest thread over several phases: measured, and predicted by
/// the first plan.
struct Pace {
  double Took = 0, Predicted = 0;
  unsigned Phases = 0;
  double value() const { return Predicted > 0 ? Took / Predicted : 0; }
};

class Replanner {
  Plan First;      // its objects with the changes made so far
  size_t Made = 0; // number of these changes
  ReplanData D;
  PlanRequest Q;
  std::unique_ptr<TargetPredictor> Predictor;
  std::unique_ptr<Model> Mod;
  PhaseLog
      Predicted; // predictions by the first plan, updated by each later one
  std::vector<MeasuredPhase> Recent; // phases that depart from the plan
  std::vector<double> Work;          // of the slowest task, by step; see Pace
  std::deque<Plan> Plans;            // after the first; PhaseLogs refer to them
  std::map<InstanceKey, double> Expected;         // sizes in bytes
  std::map<InstanceKey, PredictedInstance> Sizes; // seen by now
  uint32_t Hook = 0;    // the last phase that has ended
  double OwnPageUs = 0; // cost per page in the machine file
  // Since the last plan, and under the one before.
  Pace Before, Since;
  double Promised = 0;
  bool Judging = false;
  bool Planned = false; // the last look planned; else it only judged
  double LastPromised = 0, LastCame = 0; // of the previous plan
  std::vector<Pace> Paces;               // of all earlier plans and the first
  Problem Kinds;                         // only the first plan's phases
  SeenTypes Seen;    // task times in phases that departed from the plan
  Profile Extended;  // the base plus phases it lacks; may be empty
  KnownValues Known; // handed over by the program

  const Plan &current() const { return Plans.empty() ? First : Plans.back(); }

  /// Records the predicted times of the phases to come: for this log, for hooks
  /// in \p New, and for other ranks in \p Phases.
  void recordPredictions(const HookDecision &Made, const ek_plan &Old,
                         ek_plan &New, std::vector<PlanPhase> &Phases) {
    // Steps are sorted by phase.
    auto StepOf = [&](uint32_t Phase) {
      const ek_plan_step *First = Old.steps, *End = First + Old.step_count;
      const ek_plan_step *At = std::lower_bound(
          First, End, Phase,
          [](const ek_plan_step &A, uint32_t B) { return A.phase < B; });
      return At == End || At->phase != Phase ? nullptr : At;
    };
    size_t Count = 0;
    for (size_t I = 0; I < Old.step_count; ++I)
      Count += Old.steps[I].task_count;
    New.task_seconds = new double[Count + 1]();
    std::copy(Old.task_seconds, Old.task_seconds + Count, New.task_seconds);
    predictWhileMoving(
        Made.P, Hook + 1, Made.Now, Made.Chosen, *Q.M, *Mod,
        [&](const PredictedPhase &H, const std::vector<double> &Seconds,
            const std::vector<double> &) {
          Predicted.predicted(H, Seconds);
          const ek_plan_step *S = StepOf(H.Phase);
          if (!S || S->task_count != H.Tasks.size())
            return;
          const uint32_t *Index = Old.task_index + S->first_task;
          const uint32_t *End = Index + S->task_count;
          for (size_t T = 0; T < H.Tasks.size(); ++T) {
            const uint32_t *At = std::lower_bound(Index, End, H.Tasks[T].Index);
            if (At != End && *At == H.Tasks[T].Index)
              New.task_seconds[At - Old.task_index] = Seconds[T];
          }
        });
    for (PlanPhase &H : Phases)
      if (const ek_plan_step *S = StepOf(H.Phase))
        for (PlanTask &T : H.Tasks) {
          const uint32_t *Index = Old.task_index + S->first_task;
          const uint32_t *End = Index + S->task_count;
          const uint32_t *At = std::lower_bound(Index, End, T.Index);
          if (!T.Explicit && At != End && *At == T.Index)
            T.Seconds = New.task_seconds[At - Old.task_index];
        }
  }

  void expect(const Problem &P) {
    for (const PredictedInstance &I : P.Instances)
      Expected[keyOf(nameOf(I))] = I.Bytes;
  }

  /// Notes which planned moves have begun. \p Drop: no others will.
  void takeChanges(bool Drop) {
    if (!Plans.empty())
      return;
    const size_t Done =
        __atomic_load_n(&ek_plan_now->changes_done, __ATOMIC_RELAXED);
    const uint32_t Last = Done ? ek_plan_now->changes[Done - 1].phase : 0;
    for (; Done && Made < First.Changes.size() &&
           First.Changes[Made].Phase <= Last;
         ++Made)
      applyChange(First.Objects, First.Changes[Made]);
    if (Drop)
      First.Changes.clear();
  }

  /// Takes the phases that have ended since the last look. Returns the ratio of
  /// their measured to their predicted time; 0: there are none.
  double takePhases() {
    double Took = 0, Predicted = 0;
    ek_measured M;
    Recent.clear();
    while (ek_balance_take(&M)) {
      const ek_plan_step &S = ek_plan_now->steps[M.step];
      const double *Now = ek_plan_now->task_seconds + S.first_task;
      if (!M.count)
        continue;
      if (M.of_kinds) {
        if (M.departed && ek_balance_by_times())
          takeKinds(M, Took, Predicted);
        continue;
      }
      Since.Took += M.longest;
      Since.Predicted += Work[M.step];
      ++Since.Phases;
      // Times are as planned so far, or cannot be compared.
      if (!M.departed || !ek_balance_by_times())
        continue;
      if (!First.Ranks.empty()) {
        takePart(M, Took, Predicted);
        continue;
      }
      MeasuredPhase H;
      H.Phase = S.phase;
      H.Under = &current();
      for (uint32_t T = 0; T < M.count; ++T) {
        H.TaskSeconds[T] = M.seconds[T];
        Took += M.seconds[T];
        Predicted += Now[T];
      }
      Recent.push_back(std::move(H));
    }
    const double Scale = Predicted > 0 ? Took / Predicted : 0;
    for (MeasuredPhase &H : Recent) {
      for (auto &Task : H.TaskSeconds)
        Task.second /= Scale;
      for (auto &Kind : H.ExplicitSums)
        Kind.second.Seconds /= Scale;
    }
    return Scale;
  }

  /// The times of explicit tasks of each region.
  void takeKinds(const ek_measured &M, double &Took, double &Predicted) {
    const ek_plan_step &S = ek_plan_now->steps[M.step];
    MeasuredPhase H;
    H.Phase = S.phase;
    H.Under = &current();
    for (uint32_t N = 0; N < M.count; ++N) {
      const ek_plan_task_kind &K = ek_plan_now->task_kinds[S.first_kind + N];
      H.ExplicitSums[K.region] = {K.tasks, M.seconds[N]};
      Took += M.seconds[N];
      Predicted += K.seconds;
    }
    Recent.push_back(std::move(H));
  }

  /// Spreads the times of ranks between two collectives over its phases, in
  /// proportion to the predictions.
  void takePart(const ek_measured &M, double &Took, double &Predicted) {
    std::vector<double> PredictedOf(First.Ranks.size());
    const ek_plan &Plan = *ek_plan_now;
    for (size_t I = ek_plan_part(&Plan, M.step, PredictedOf.data());
         I <= M.step; ++I) {
      const ek_plan_step &S = Plan.steps[I];
      MeasuredPhase H;
      H.Phase = S.phase;
      H.Under = &current();
      for (size_t T = S.first_task; T < S.first_task + S.task_count; ++T) {
        const size_t R = ek_plan_rank_of(&Plan, Plan.task_index[T]);
        if (PredictedOf[R] <= 0)
          continue;
        const double Seconds =
            Plan.task_seconds[T] * (M.seconds[R] / PredictedOf[R]);
        H.TaskSeconds[Plan.task_index[T]] = Seconds;
        Took += Seconds;
        Predicted += Plan.task_seconds[T];
      }
      Recent.push_back(std::move(H));
    }
  }

  /// Predicts the phases to come from those seen since the first phase that the
  /// base profile lacks. Returns false if there are no new ones.
  bool takeUnlike(const std::vector<Live> &Alive) {
    ek_unlike_kind Kinds[EK_UNLIKE_KINDS];
    const size_t Count = ek_unlike_take(Kinds);
    if (!Count)
      return false;
    std::vector<UnlikePhase> Phases;
    for (size_t I = 0; I < Count; ++I)
      Phases.push_back(
          {Kinds[I].sync, Kinds[I].region, Kinds[I].width, Kinds[I].times});
    std::vector<LiveObject> Objects;
    for (const Live &L : Alive)
      Objects.push_back({L.Name, L.Bytes});
    Extended = withUnlike(D.Base, D.F, Objects, Phases);
    Q.Base = &Extended;
    Predictor = std::make_unique<TargetPredictor>(Q);
    Hook = uint32_t(D.Base.Phases.size()) - 1;
    ++ek_replan_sums.unlike_looks;
    return true;
  }

  void know(const InstanceName &Name, double Bytes) {
    PredictedInstance &I = Sizes[keyOf(Name)];
    I = instanceNamed(Name);
    I.Bytes = Bytes;
    I.AllocPhase = EK_NO_TASK; // a run has phases of its own
  }

  /// The sizes of all objects that were alive at a look so far, or in an
  /// earlier run of this input.
  std::vector<PredictedInstance> sizesWith(const std::vector<Live> &Alive) {
    for (const Live &L : Alive)
      know(L.Name, L.Bytes);
    std::vector<PredictedInstance> Out;
    for (const auto &Entry : Sizes)
      Out.push_back(Entry.second);
    return Out;
  }

  /// Compares the last plan's gain with its prediction, once enough phases have
  /// ended. Returns false if planning again does not help.
  bool judge() {
    if (!Judging || Since.Phases < EK_COMPARED_PHASES)
      return true;
    Judging = false;
    const double Came =
        Before.value() > 0 ? 1 - Since.value() / Before.value() : 0;
    if (Came > std::max(Promised, 0.0) + EK_BETTER_PLAN) {
      ++ek_replan_sums.incomparable; // it has another cause
      return true;
    }
    ek_balance_gained(Came * Before.value() * Since.Predicted);
    ++ek_replan_sums.judged;
    ek_replan_sums.promised += Promised;
    ek_replan_sums.came += Came;
    const bool Helps =
        ek_replan_sums.judged < 2 ||
        Came + LastCame >= EK_GAIN_CAME * (Promised + LastPromised);
    LastPromised = Promised;
    LastCame = Came;
    return Helps;
  }

  bool unexpected(const std::vector<Live> &Alive) const {
    return std::any_of(Alive.begin(), Alive.end(), [&](const Live &L) {
      auto It = Expected.find(keyOf(L.Name));
      return It == Expected.end() || std::fabs(L.Bytes - It->second) >
                                         figures().SizeTolerance * It->second;
    });
  }

public:
  Replanner(Plan First, ReplanData Data)
      : First(std::move(First)), D(std::move(Data)) {}

  MaybeError start() {
    Q.F = &D.F;
    Q.Base = &D.Base;
    Q.M = &D.M;
    Q.Planner = D.Planner;
    Q.Model = D.Model;
    Q.Seen = D.Seen;
    Q.Fitted = D.Fitted;
    for (const auto &[Name, Bytes] : D.Sizes)
      know(Name, Bytes);
    Q.KnownSizes = sizesWith({});
    uint64_t Room = ek_place_capacity(0);
    Q.Fast = std::to_string(std::min(Room, First.FastBytes)) + "B";
    for (const auto &[Name, Task, Value] : D.For)
      Q.For.push_back({Name, Task, Value});
    OwnPageUs = D.M.MigrationPageUs;
    auto Made = makeModel(Q.Model);
    if (!Made)
      return Made.takeError();
    Mod = std::move(*Made);
    Predictor = std::make_unique<TargetPredictor>(Q);
    auto P = predictRefined(*Predictor, Q, *Mod);
    if (!P)
      return P.takeError();
    expect(*P);
    for (const PredictedPhase &H : P->Phases)
      Kinds.Phases.push_back({H.Phase, H.Region, 1, {}, {}, H.Kind});
    for (size_t I = 0; I < ek_plan_now->step_count; ++I) {
      const ek_plan_step &S = ek_plan_now->steps[I];
      const double *Tasks = ek_plan_now->task_seconds + S.first_task;
      std::vector<double> ByRank(First.Ranks.size());
      if (!ByRank.empty()) {
        ek_plan_part(ek_plan_now, I, ByRank.data());
        Work.push_back(*std::max_element(ByRank.begin(), ByRank.end()));
      } else {
        Work.push_back(
            S.task_count ? *std::max_element(Tasks, Tasks + S.task_count) : 0);
      }
    }
    const std::vector<double> Fast = sharesOf(*P, First);
    predictWhileMoving(
        *P, 0, Fast, {Fast, {}, 0}, *Q.M, *Mod,
        [&](const PredictedPhase &H, const std::vector<double> &Seconds,
            const std::vector<double> &) { Predicted.predicted(H, Seconds); });
    return std::nullopt;
  }

  double promised() const { return Promised; }
  const SeenTypes &seen() const { return Seen; }
  bool planned() const { return Planned; }

  bool finish() {
    takePhases();
    return judge();
  }

  /// The next plan, or null.
  ek_plan *look(const std::vector<Live> &Alive) {
    Planned = false;
    const double Scale = takePhases();
    if (!judge()) {
      ek_replan_sums.stopped = true;
      ek_count(EK_WHY_replan_unhelpful, 1);
      ek_balance_stop();
      return goBack();
    }
    if (Judging || !ek_balance_affords()) // not judged yet, or too expensive
      return nullptr;
    const SlowMemory Here;
    const bool Unlike = takeUnlike(Alive);
    const bool Values = Known.take(D.F, *Predictor);
    if (Unlike)
      Sizes.clear(); // the extended base has no objects of earlier phases
    if (Recent.empty() && !Unlike && !Values && !unexpected(Alive) &&
        !ek_opt.every_hook)
      return nullptr;
    PhaseLog Log = Predicted; // Predicted is kept for the next look
    for (MeasuredPhase &H : Recent)
      Log.ended(std::move(H));
    takeChanges(false);
    PlanRequest Again = Q;
    Again.KnownSizes = sizesWith(Alive);
    Again.KnownSymbols = Known.symbols();
    Again.Measured = Log.measured();
    addSeenTypes(Seen, seenTypes(Kinds, Again));
    Hook = std::max(Hook,
                    Again.Measured.empty() ? 0u : Again.Measured.back().Phase);
    const uint32_t Reached = ek_balance_phase();
    if (Reached > 0)
      Hook = std::max(Hook, Reached - 1);
    uint64_t MovedPages = ek_get(moved_pages), MoveNs = ek_get(move_ns);
    if (ek_board_on)
      ek_board_moves(&MovedPages, &MoveNs);
    if (MovedPages > 0)
      D.M.MigrationPageUs =
          double(MoveNs) * 1e-3 / double(MovedPages) / (Scale > 0 ? Scale : 1);
    Planned = true;
    auto Made =
        decideAtHook(*Predictor, Again, *Mod, Hook, [&](const Problem &P) {
          return sharesNow(P, current(), Alive);
        });
    if (!Made) {
      ek_count(EK_WHY_replan_failed, 1);
      std::snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s",
                    Made.message().c_str());
      return nullptr;
    }
    if (Made->Chosen.Steps.empty() || leavesFirstTouch(current(), Made->P)) {
      expect(Made->P);
      return nullptr;
    }
    reportDecision(*Made, Hook + 1);
    ek_plan *Next = carryOut(Again, *Made);
    ek_replan_sums.unlike_plans += Unlike && Next;
    return Next;
  }

private:
  /// The earlier plan under which phases were shortest, so that its placement
  /// is restored; null if the last plan is as good.
  ek_plan *goBack() {
    size_t Best = Paces.size(); // the last
    double Least = Since.value() * (1 - EK_BETTER_PLAN);
    for (size_t K = 0; K < Paces.size(); ++K)
      if (Paces[K].Phases >= EK_COMPARED_PHASES && Paces[K].value() < Least) {
        Best = K;
        Least = Paces[K].value();
      }
    if (Best == Paces.size())
      return nullptr;
    const Plan &Old = Best ? Plans[Best - 1] : First;
    if (ek_board_on && !publish(Old))
      return nullptr;
    ek_count(EK_WHY_replan_returned, 1);
    Plans.push_back(Old);
    return successor(Plans.back());
  }

  ek_plan *carryOut(const PlanRequest &Again, const HookDecision &Made) {
    takeChanges(true);
    const double Stay = predictWhileMoving(
        Made.P, Hook + 1, Made.Now, {Made.Now, {}, 0}, *Q.M, *Mod, nullptr);
    const double Move =
        predictWhileMoving(Made.P, Hook + 1, Made.Now,
                           {Made.Chosen.Fast, {}, 0}, *Q.M, *Mod, nullptr);
    Placement Place;
    Place.FastShare = Made.Chosen.Fast;
    Plan Next = layoutOf(Again, Made.P, *Mod, Place);
    Next.Ranks = First.Ranks; // the data for planning again lacks them
    ek_plan *Flat = successor(Next);
    std::vector<PlanPhase> Phases; // for the other ranks
    if (ek_board_on)
      Phases = First.Phases;
    recordPredictions(Made, *ek_plan_now, *Flat, Phases);
    expect(Made.P);
    // Objects that gain most come first.
    std::map<uint64_t, double> Worth;
    double Rank = 1;
    for (const TradeStep &S : Made.Chosen.Steps) {
      const PredictedInstance &I =
          Made.P.Instances[Made.P.Units[S.In].Instance];
      Worth.try_emplace(I.Site, 1 / Rank);
      ++Rank;
    }
    for (size_t I = 0; I < Flat->count; ++I)
      if (auto It = Worth.find(Flat->objects[I].site); It != Worth.end())
        Flat->objects[I].group.worth = It->second;
    ek_replan_sums.objects += Worth.size();
    if (ek_board_on) {
      Plan Shown = Next;
      Shown.Phases = std::move(Phases);
      // The same order for the other ranks, as a gain per byte.
      for (PlanObject &O : Shown.Objects)
        if (auto It = Worth.find(O.Site); It != Worth.end())
          O.GainSeconds = It->second * O.Share * double(O.PredictedBytes);
      if (!publish(Shown))
        return nullptr;
    }
    Plans.push_back(std::move(Next));
    ++ek_replan_sums.plans;
    Paces.push_back(Since);
    Before = Since;
    Since = Pace();
    Promised = Stay > 0 ? 1 - Move / Stay : 0;
    Judging = Before.Phases > 0 && ek_balance_by_times() && !ek_opt.every_hook;
    return Flat;
  }
};

std::unique_ptr<Replanner> The;

/// A plan that keeps first touch is left alone, unless it does so only because
/// all data was predicted to fit.
bool canReplan(const ek_plan *P) {
  return P && P->replans && (!P->keeps_first_touch || P->all_fits) &&
         ek_tier_count > 1;
}

bool make() {
  if (The)
    return true;
  const SlowMemory Here;
  // Parsed again, in slow memory: the start keeps nothing of it.
  if (!ek_plan_now->file)
    throw std::runtime_error("the plan's file is gone");
  auto P = readPlan(ek_plan_now->file, PlanUse::Run);
  if (P && P->ReplanJson.size() != ek_plan_now->replans)
    throw std::runtime_error("the plan's file has changed since the start");
  if (P && !expandAlike(P->Objects))
    throw std::runtime_error("the plan names too many objects");
  auto D = P ? readReplan(P->ReplanJson, ek_plan_now->file)
             : Expected<ReplanData>(P.takeError());
  MaybeError Bad;
  if (D && ek_opt.balance == EK_REPLAN_TIMES && !isThis(D->M))
    ek_balance_other_machine();
  if (D && D->Base.Role == "prefix" && D->Base.Like.empty())
    D->Base = continued(D->Base);
  if (D) {
    The = std::make_unique<Replanner>(std::move(*P), std::move(*D));
    Bad = The->start();
  } else {
    Bad = D.takeError();
  }
  if (!Bad)
    return true;
  The.reset();
  std::snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s",
                Bad->Message.c_str());
  ek_count(EK_WHY_replan_failed, 1);
  ek_balance_stop();
  return false;
}

/// CPU time of this thread: what other programs take of a shared machine is not
/// a cost of planning.
uint64_t ownCpuNs() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
}

} // namespace

ek_plan *ek_replan() {
  using Clock = std::chrono::steady_clock;
  if (ek_board_on && !ek_board_leads())
    return follow();
  if (!canReplan(ek_plan_now)) {
    ek_balance_looked(0, false, false);
    return nullptr;
  }
  const auto Start = Clock::now();
  const uint64_t Began = ownCpuNs();
  ek_plan *Next = nullptr;
  try {
    if (ek_board_on && ek_board_lost()[0])
      throw std::runtime_error(ek_board_lost());
    if (make())
      Next = The->look(ek_board_on ? objectsOfAll() : liveObjects());
  } catch (const std::exception &E) {
    ek_count(EK_WHY_replan_failed, 1);
    std::snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s",
                  E.what());
    ek_balance_stop();
  }
  malloc_trim(0); // return the planner's memory
  const std::chrono::duration<double> Took = Clock::now() - Start;
  ++ek_replan_sums.looks;
  ek_replan_sums.look_s += Took.count();
  ek_balance_looked(ownCpuNs() - Began, !The || The->planned(), Next);
  const double Promised = Next ? The->promised() : 0;
  ek_probe_look(Next, Took.count(), Promised);
  ek_tell_looked(Next, Took.count(), Promised);
  return Next;
}

void ek_replan_end() {
  ek_replan_sums.unlike = ek_unlike_sums();
  try {
    if (The && !The->finish() && !ek_replan_sums.stopped) {
      ek_replan_sums.stopped = true;
      ek_count(EK_WHY_replan_unhelpful, 1);
    }
    if (The && !The->seen().Rows.empty())
      ek_replan_sums.seen = strdup(seenTypesToJson(The->seen()).dump().c_str());
  } catch (const std::exception &) {
    ek_count(EK_WHY_replan_failed, 1);
  }
}
