//===- PolicyRuns.cpp - replays under one policy after another ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PolicyRuns.h.
//===----------------------------------------------------------------------===//
#include "PolicyRuns.h"
#include "FixedPlacement.h"
#include "HookPolicy.h"
#include "cli/planning/Planned.h"
#include "format/plan/PhaseMatch.h"
#include "problem/ReachedTiers.h"
#include <algorithm>
#include <cstdio>

namespace evenkeel::cli {

static bool isOneOf(const std::vector<std::string> &V, const std::string &S) {
  return std::find(V.begin(), V.end(), S) != V.end();
}

const std::vector<Tunable> &tunablesOf(const std::string &Policy) {
  const std::vector<Tunable> &Own = policyTunables(Policy);
  return Own.empty() ? plannerTunables(policyPlanner(Policy)) : Own;
}

/// One point of a policy's grid, for bench --tune.
static nlohmann::json tuningRow(const Settings &Point, const PolicyResult &R) {
  return {{"settings", Point},
          {"makespan_s", R.MakespanSeconds},
          {"acv", R.Acv},
          {"barrier_wait_s", R.BarrierWaitSeconds},
          {"fast_access_share", R.FastAccessShare},
          {"migrated_bytes", R.MigratedBytes}};
}

/// The plan's prediction for each phase of \p Judged; for a plan made from a
/// prefix, that of the phase it resembles. Null: none.
static std::vector<const PlanPhase *>
plannedPhases(const Plan &P, const PlanInputs &In, const Profile &Judged) {
  std::map<uint32_t, const PlanPhase *> Of;
  for (const PlanPhase &H : P.Phases)
    Of[H.Phase] = &H;
  const std::vector<uint32_t> Like =
      In.Prefix ? likePhases(*In.Prefix, Judged)
                : matchPhases(phaseEnds(P), phaseEnds(Judged)).Ended;
  std::vector<const PlanPhase *> Out;
  for (uint32_t Phase : Like) {
    auto At = Of.find(Phase);
    Out.push_back(At == Of.end() ? nullptr : At->second);
  }
  return Out;
}

/// The predictions before the run, under one of three placements.
static PredictedPolicy
offlinePrediction(const std::vector<const PlanPhase *> &Phases,
                  const std::string &Policy, const PolicyResult &Replayed) {
  PredictedPolicy Out{Policy, "offline", {}, &Replayed};
  for (uint32_t Phase = 0; Phase < Phases.size(); ++Phase) {
    if (!Phases[Phase])
      continue;
    if (Policy == OwnStatic) {
      Out.MakespanSeconds += Phases[Phase]->Seconds;
      Out.ReplayedSeconds += Replayed.PhaseSeconds[Phase];
    }
    for (const PlanTask &T : Phases[Phase]->Tasks) {
      const TaskKey Key = taskKey(Phase, T.Index, T.Explicit);
      Out.Predicted[Key] = Policy == "slow-only"   ? T.SlowOnlySeconds
                           : Policy == "fast-only" ? T.FastOnlySeconds
                                                   : T.Seconds;
      if (Policy == OwnStatic)
        Out.Counts[Key].Bound = T.BoundSeconds;
    }
  }
  return Out;
}

static ReplayRequest requestOf(const JudgedRun &J) {
  ReplayRequest R;
  R.Record = &J.Record;
  R.M = &J.M;
  R.FastBytes = J.FastBytes;
  R.Prepared = J.Prepared.get();
  return R;
}

/// The planners' inputs, without an amount of fast memory.
static PlanRequest planRequestOf(const JudgedRun &J) {
  PlanRequest Q;
  Q.F = &J.In->F;
  Q.Base = &J.In->Base;
  Q.M = &J.Believed;
  Q.For = J.In->For;
  Q.KnownSizes = J.In->SeenSizes;
  Q.KnownSymbols = J.In->SeenSymbols;
  Q.Seen = J.In->Seen;
  Q.Fitted = J.In->Fitted;
  return Q;
}

/// Every model's predictions, before the run and at its hooks, under placements
/// with \p Shares of the peak in fast memory. Adds predictions to \p Out and
/// replays to \p Results, which must not reallocate.
static void predictPlacements(const JudgedRun &J, const PolicyChoice &C,
                              std::vector<PolicyResult> &Results,
                              std::vector<PredictedPolicy> &Out) {
  const std::vector<std::string> &Shares = C.Shares;
  const PlanRequest Known = planRequestOf(J);
  const ReplayRequest R = requestOf(J); // each placement sets its own memory
  Progress Shown("predicting placements");
  for (size_t I = 0; I < Shares.size(); ++I) {
    PlanRequest Q = Known;
    ReplayRequest Own = R;
    const uint64_t Peak = recordedPeakBytes(*R.Record);
    // A program without fast memory ends up in the slow tier, not in a third
    // one.
    const Machine Reached = withoutUnreachedTiers(*R.M, double(Peak));
    Own.M = &Reached;
    Own.FastBytes = orFail(parseFastSize(Shares[I], Peak));
    Q.Fast = std::to_string(Own.FastBytes);
    const Where W = Own.FastBytes == 0      ? Where::Slow
                    : Own.FastBytes >= Peak ? Where::Fast
                                            : Where::Planned;
    auto P = orFail(makeFixedPlacement(Q, Own, W, modelNames(), C.Hooks.Times,
                                       J.In->Blind));
    Results.push_back(orFail(replay(Own, *P)));
    Results.back().Name = Shares[I];
    const PhaseMatch Match =
        matchPhases(phaseEnds(*Q.Base), phaseEnds(*R.Record));
    for (const ModelPrediction &M : P->predictions()) {
      for (bool AtHook : {false, true}) {
        Out.push_back({Shares[I], AtHook ? "hook" : "offline",
                       byPhaseOfRun(AtHook ? M.Hook : M.Offline, Match),
                       &Results.back(), M.Model});
        if (M.Model == Q.Model)
          Out.back().Counts = byPhaseOfRun(P->counts(AtHook), Match);
      }
    }
    Shown.step(I + 1, Shares.size());
  }
}

/// Replays ours also with a plan from the beginning of the judged run.
static void playPrefixed(const JudgedRun &J, const PolicyChoice &C,
                         PolicyRuns &Out) {
  const PlanInputs &From = *J.Prefix;
  PlanRequest Q;
  Q.F = &From.F;
  Q.Base = &From.Base;
  Q.M = &J.Believed;
  Q.Fast = std::to_string(J.FastBytes);
  const ReplayRequest Common = requestOf(J);
  FirstPlan Own;
  Own.Its = orFail(makePlan(Q, &Own.From));
  const std::string Mark = "@prefix";
  if (isOneOf(C.Policies, OwnStatic)) {
    ReplayRequest R = Common;
    R.P = &Own.Its;
    auto P = orFail(makePolicy(OwnStatic, R));
    Out.Results.push_back(orFail(replay(R, *P)));
    Out.Results.back().Name = OwnStatic + Mark;
    Out.KeptFirstTouch[Out.Results.back().Name] = Own.Its.KeepsFirstTouch;
    Out.Predictions.push_back(
        offlinePrediction(plannedPhases(Own.Its, From, *Common.Record),
                          OwnStatic, Out.Results.back()));
    Out.Predictions.back().Name += Mark;
  }
  if (isOneOf(C.Policies, OwnPlanner)) {
    auto P = orFail(makeHookPolicy(Q, Common, C.Hooks, &Own));
    Out.Results.push_back(orFail(replay(Common, *P)));
    Out.Results.back().Name = OwnPlanner + Mark;
    Out.KeptFirstTouch[Out.Results.back().Name] = P->keptFirstTouch();
    Out.Predictions.push_back(
        {Out.Results.back().Name, "hook", P->predicted(), &Out.Results.back()});
  }
}

namespace {
class Player {
  const JudgedRun &J;
  const PolicyChoice &C;
  PolicyRuns &Out;
  const ReplayRequest Common;
  PlanRequest FromBase;
  std::shared_ptr<FirstPlan>
      Offline; // our plan before the run, with its prediction

  PolicyResult replayed(const std::string &Name, PlanRequest Q,
                        const Settings &Tuned) const;
  void playHooks(const std::string &Name);
  void playAtOnce(const std::string &Name, const Settings &Tuned, bool IsSet);
  void playProfiled(const std::string &Name, const Settings &Tuned);

public:
  Player(const JudgedRun &Its, const PolicyChoice &Choice, PolicyRuns &Runs);
  void play(const std::string &Name);
};
} // namespace

Player::Player(const JudgedRun &Its, const PolicyChoice &Choice,
               PolicyRuns &Runs)
    : J(Its), C(Choice), Out(Runs), Common(requestOf(Its)) {
  if (!J.In)
    return;
  FromBase = planRequestOf(J);
  FromBase.Fast = std::to_string(J.FastBytes);
  Offline = std::make_shared<FirstPlan>();
  Offline->Its = orFail(makePlan(FromBase, &Offline->From));
  if (J.In->Blind)
    loseBounds(Offline->Its);
  Out.First = Offline;
}

/// For all policies except ours with migration; \p Q: the planner's input.
PolicyResult Player::replayed(const std::string &Name, PlanRequest Q,
                              const Settings &Tuned) const {
  ReplayRequest R = Common;
  std::optional<Plan> Own;
  const std::string Planner = policyPlanner(Name);
  const bool SetsItself = !policyTunables(Name).empty();
  if (SetsItself || !needsPlan(Name))
    R.Tuned = Tuned;
  if (J.In && Planner == OwnPlanner) {
    R.P = &Offline->Its;
  } else if (J.In && isOneOf(plannerNames(), Planner)) {
    Q.Planner = Planner;
    Q.Tuned = SetsItself ? Settings() : Tuned;
    Own = orFail(makePlan(Q));
    R.P = &*Own;
  } else if (J.Given) {
    R.P = &*J.Given;
  }
  auto P = orFail(makePolicy(Name, R));
  return orFail(replay(R, *P));
}

void Player::playHooks(const std::string &Name) {
  auto P = orFail(makeHookPolicy(FromBase, Common, C.Hooks, &*Offline));
  Out.Results.push_back(orFail(replay(Common, *P)));
  Out.Predictions.push_back(
      {Name, "hook", P->predicted(), &Out.Results.back()});
  Out.KeptFirstTouch[Name] = P->keptFirstTouch();
  Out.Decided = P->decided();
  for (const std::string &Note : P->notes())
    std::fprintf(stderr, "evenkeel: %s: %s\n", Name.c_str(), Note.c_str());
  for (const auto &[Why, Times] : P->failed())
    std::fprintf(stderr,
                 "evenkeel: %s: could not plan again %u times, so the plan in "
                 "force was kept: %s\n",
                 Name.c_str(), Times, Why.c_str());
}

void Player::playAtOnce(const std::string &Name, const Settings &Tuned,
                        bool IsSet) {
  Out.Results.push_back(replayed(Name, FromBase, Tuned));
  Out.Results.back().Name = Name;
  if (J.In && Name == OwnStatic)
    Out.KeptFirstTouch[Name] = Offline->Its.KeepsFirstTouch;
  if (J.In && (Name == "slow-only" || Name == "fast-only" || Name == OwnStatic))
    Out.Predictions.push_back(
        offlinePrediction(plannedPhases(Offline->Its, *J.In, J.Record), Name,
                          Out.Results.back()));
  if (C.Tune && !IsSet && policyPlanner(Name) != OwnPlanner)
    for (const Settings &Point : gridPoints(tunablesOf(Name)))
      if (!Point.empty())
        Out.Tuning[Name].push_back(
            tuningRow(Point, replayed(Name, FromBase, Point)));
}

/// Replays the rival with a profile of this very input.
void Player::playProfiled(const std::string &Name, const Settings &Tuned) {
  Profile Its = J.Record; // without the page rows
  Its.Role = "base";
  PlanRequest Q = FromBase;
  Q.Base = &Its;
  Q.For.clear();
  Out.Results.push_back(replayed(Name, Q, Tuned));
  Out.Results.back().Name = Name + "@target";
}

void Player::play(const std::string &Name) {
  const auto It = C.Set.find(canonicalPolicy(Name));
  const bool IsSet = It != C.Set.end();
  const Settings Tuned = IsSet ? It->second : Settings();
  if (J.OtherRanks && needsPlan(Name)) {
    Out.Results.push_back(replayed("first-touch", FromBase, {}));
    Out.Results.back().Name = Name;
    Out.KeptFirstTouch[Name] = true;
  } else if (J.In && Name == OwnPlanner) {
    playHooks(Name);
  } else {
    playAtOnce(Name, Tuned, IsSet);
  }
  if (J.In && C.ProfileOfTarget && needsPlan(Name) &&
      policyPlanner(Name) != OwnPlanner)
    playProfiled(Name, Tuned);
}

PolicyRuns playPolicies(const JudgedRun &J, const PolicyChoice &C) {
  PolicyRuns Out;
  Out.Results.reserve(2 * C.Policies.size() +
                      2); // predictions point to its elements
  Player P(J, C, Out);
  Progress Shown("replaying policies");
  for (const std::string &Name : C.Policies) {
    P.play(Name);
    if (!C.Quiet)
      Shown.step(std::min(Out.Results.size(), C.Policies.size()),
                 C.Policies.size());
  }
  if (J.Prefix && !J.OtherRanks)
    playPrefixed(J, C, Out);
  if (!C.Shares.empty()) {
    Out.Placed.reserve(C.Shares.size());
    predictPlacements(J, C, Out.Placed, Out.ByModel);
  }
  return Out;
}

} // namespace evenkeel::cli
