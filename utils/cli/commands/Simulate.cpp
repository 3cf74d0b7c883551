//===- Simulate.cpp - evenkeel simulate -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: judge policies by replaying a recorded run of the target. With facts
// and a base profile, the planners' policies make their own plans, from those
// two alone.
// Not here: timing (profiles/simulator) and planning (profiles/planner).
//===----------------------------------------------------------------------===//
#include "cli/planning/Planning.h"
#include "cli/replay/FixedPlacement.h"
#include "cli/replay/HookPolicy.h"
#include "cli/replay/PredictionReport.h"
#include "format/Machine.h"
#include "format/plan/Plan.h"
#include "predict/base/Threads.h"
#include "problem/ReachedTiers.h"
#include "simulator/LastLevel.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include "simulator/SimulationReport.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::cli;

static std::string figureText(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%g", V);
  return Text;
}

static bool contains(const std::vector<std::string> &V, const std::string &S) {
  return std::find(V.begin(), V.end(), S) != V.end();
}

/// Ours, planned once before the run.
static const char StaticName[] = "balanced-static";
/// Ours, planned anew at every hook with the sizes and times known there.
static const char HookName[] = "balanced";

/// The planner that makes the plans of a policy.
static std::string plannerOf(const std::string &Policy) {
  return Policy == StaticName ? HookName : canonicalPolicy(Policy);
}

static std::vector<std::string>
chosenPolicies(const Args &A, const std::string &PlannerOfPlan) {
  std::vector<std::string> Known = policyNames(), Out;
  bool CanPlan = A.has("--facts");
  auto Possible = [&](const std::string &Name) {
    const std::string Planner = plannerOf(Name);
    return !needsPlan(Name) || Planner == canonicalPolicy(PlannerOfPlan) ||
           (CanPlan && contains(plannerNames(), Planner));
  };
  for (const std::string &Name : splitList(A.text("--policy"), ',')) {
    if (Name == "all") {
      std::copy_if(Known.begin(), Known.end(), std::back_inserter(Out),
                   Possible);
      continue;
    }
    if (!contains(Known, Name) && canonicalPolicy(Name) == Name &&
        !contains(plannerNames(), Name))
      fail("unknown policy '" + Name + "'; see --policy list");
    Out.push_back(Name);
  }
  return Out;
}

/// On a sampled record, `all` are those that it can judge.
static void leaveOutPageWatchers(const MissRecord &Record,
                                 const std::vector<std::string> &Asked,
                                 std::vector<std::string> &Policies) {
  std::string Left;
  if (contains(Asked, "all"))
    Policies.erase(std::remove_if(Policies.begin(), Policies.end(),
                                  [&](const std::string &Name) {
                                    if (contains(Asked, Name) ||
                                        !watchesPages(Name))
                                      return false;
                                    Left += (Left.empty() ? "" : ", ") + Name;
                                    return true;
                                  }),
                   Policies.end());
  std::fprintf(stderr,
               "evenkeel: the record follows one cache line in %u: counts are "
               "estimates, and how far misses overlap is taken from access "
               "classes%s%s\n",
               Record.OneIn,
               Left.empty() ? "" : "; left out, as they need every page: ",
               Left.c_str());
}

/// --set POLICY.NAME=NUMBER, by policy.
static std::map<std::string, Settings> readSettings(const Args &A) {
  std::map<std::string, Settings> Out;
  for (const std::string &Text : A.all("--set")) {
    size_t Dot = Text.find('.');
    if (Dot == 0 || Dot == std::string::npos || Dot > Text.find('='))
      fail("'" + Text + "' is not a setting; write POLICY.NAME=NUMBER");
    orFail(parseSetting(Text.substr(Dot + 1),
                        Out[canonicalPolicy(Text.substr(0, Dot))]));
  }
  return Out;
}

static const std::vector<Tunable> &tunablesOf(const std::string &Policy) {
  const std::vector<Tunable> &Own = policyTunables(Policy);
  return Own.empty() ? plannerTunables(plannerOf(Policy)) : Own;
}

/// One point of a policy's grid, as bench --tune reads it.
static nlohmann::json tuningRow(const Settings &Point, const PolicyResult &R) {
  return {{"settings", Point},
          {"makespan_s", R.MakespanSeconds},
          {"acv", R.Acv},
          {"barrier_wait_s", R.BarrierWaitSeconds},
          {"fast_access_share", R.FastAccessShare},
          {"migrated_bytes", R.MigratedBytes}};
}

static void listTunables(const std::string &Policy, Table &T) {
  for (const Tunable &X : tunablesOf(Policy)) {
    std::string Grid;
    for (double V : X.Grid)
      Grid += (Grid.empty() ? "" : " ") + figureText(V);
    T.row({Policy + "." + X.Name, figureText(X.Default), Grid, X.Meaning});
  }
}

/// Every task's time, added to the document of the simulator.
static void addTasks(nlohmann::json &J,
                     const std::vector<PolicyResult> &Results) {
  for (size_t I = 0; I < Results.size(); ++I) {
    nlohmann::json &P = J["policies"][I];
    P["phase_seconds"] = Results[I].PhaseSeconds;
    P["tasks"] = nlohmann::json::array();
    for (const TaskResult &T : Results[I].Tasks)
      P["tasks"].push_back({{"phase", T.Phase},
                            {"index", T.Index},
                            {"explicit", T.Explicit},
                            {"seconds", T.Seconds}});
  }
}

/// What the plan says of each phase of \p Judged: of a plan that was made from
/// the beginning of the run, as of the phase that it is like. Null: nothing.
static std::vector<const PlanPhase *>
plannedPhases(const Plan &P, const PlanInputs &In, const Profile &Judged) {
  std::map<uint32_t, const PlanPhase *> Of;
  for (const PlanPhase &H : P.Phases)
    Of[H.Phase] = &H;
  std::vector<uint32_t> Like(Judged.Phases.size());
  std::iota(Like.begin(), Like.end(), 0);
  if (In.Prefix)
    Like = likePhases(*In.Prefix, Judged);
  std::vector<const PlanPhase *> Out;
  for (uint32_t Phase : Like) {
    auto At = Of.find(Phase);
    Out.push_back(At == Of.end() ? nullptr : At->second);
  }
  return Out;
}

/// What was predicted before the run, under one of three placements.
static PredictedPolicy
offlinePrediction(const std::vector<const PlanPhase *> &Phases,
                  const std::string &Policy, const PolicyResult &Replayed) {
  PredictedPolicy Out{Policy, "offline", {}, &Replayed};
  for (uint32_t Phase = 0; Phase < Phases.size(); ++Phase) {
    if (!Phases[Phase])
      continue;
    if (Policy == StaticName) {
      Out.MakespanSeconds += Phases[Phase]->Seconds;
      Out.ReplayedSeconds += Replayed.PhaseSeconds[Phase];
    }
    for (const PlanTask &T : Phases[Phase]->Tasks)
      Out.Predicted[taskKey(Phase, T.Index, T.Explicit)] =
          Policy == "slow-only"   ? T.SlowOnlySeconds
          : Policy == "fast-only" ? T.FastOnlySeconds
                                  : T.Seconds;
  }
  return Out;
}

/// Every model's predictions under placements of \p Shares of the peak, before
/// the run and at its hooks; adds to \p Out, and replays to \p Results, which
/// must not move.
static void predictPlacements(const std::vector<std::string> &Shares,
                              const PlanRequest &Known, const ReplayRequest &R,
                              bool Sampling, std::vector<PolicyResult> &Results,
                              std::vector<PredictedPolicy> &Out) {
  Progress Shown("predicting placements");
  for (size_t I = 0; I < Shares.size(); ++I) {
    PlanRequest Q = Known;
    ReplayRequest Own = R;
    const uint64_t Peak = recordedPeakBytes(*R.Record);
    // All in slow memory is where a program ends up that gets nothing of the
    // fast: not in a tier beyond one that holds it all.
    const Machine Reached = withoutUnreachedTiers(*R.M, double(Peak));
    Own.M = &Reached;
    Own.FastBytes = orFail(parseFastSize(Shares[I], Peak));
    Q.Fast = std::to_string(Own.FastBytes);
    const Where W = Own.FastBytes == 0      ? Where::Slow
                    : Own.FastBytes >= Peak ? Where::Fast
                                            : Where::Planned;
    auto P = orFail(makeFixedPlacement(Q, Own, W, modelNames(), Sampling));
    Results.push_back(orFail(replay(Own, *P)));
    Results.back().Name = Shares[I];
    for (const ModelPrediction &M : P->predictions()) {
      for (bool AtHook : {false, true}) {
        Out.push_back({Shares[I], AtHook ? "hook" : "offline",
                       AtHook ? M.Hook : M.Offline, &Results.back(), M.Model});
        if (M.Model == Q.Model)
          Out.back().Counts = P->counts(AtHook);
      }
    }
    Shown.step(I + 1, Shares.size());
  }
}

/// Whether plans are for another number of ranks than the record's, which is
/// said: the run time carries none of them out.
static bool saysOtherRanks(const std::optional<Plan> &Given,
                           const std::optional<PlanInputs> &In,
                           const MissRecord &Record) {
  if (!Given && !In)
    return false;
  const size_t Plans = Given ? Given->Ranks.size() : In->Base.Ranks.size();
  if (std::max<size_t>(Plans, 1) == std::max<size_t>(Record.Ranks.size(), 1))
    return false;
  std::fprintf(stderr,
               "evenkeel: other-ranks: the %s has %zu ranks, the record %zu: "
               "plans are not carried out, first touch is kept\n",
               Given ? "plan" : "base profile", std::max<size_t>(Plans, 1),
               std::max<size_t>(Record.Ranks.size(), 1));
  return true;
}

/// \p Prefix, of \p Path, is to be the beginning of \p Judged.
static void checkBeginning(const Profile &Prefix, const std::string &Path,
                           const Profile &Judged, const Args &A) {
  const bool SameInput = Prefix.Input == Judged.Input;
  const size_t N = std::min(Prefix.Phases.size(), Judged.Phases.size());
  size_t At = 0;
  while (At < N && Prefix.Phases[At].sync == Judged.Phases[At].sync)
    ++At;
  // Where a record ended, a phase may have been left in the middle of a team.
  if (SameInput && (At + 1 >= N || At + 1 >= Prefix.Phases.size()))
    return;
  fail("'" + Path + "' is not the beginning of the run in '" +
       A.text("--record") + "': " +
       (SameInput ? "phase " + std::to_string(At) +
                        " ends at another sync point; say "
                        "--allow-other-phases where data or scheduling decide "
                        "which phases there are"
                  : "they have other inputs; record both with the same "
                    "arguments and files"));
}

/// Replay asks for the plan of each phase and thread of the record.
static void checkAlike(const Profile &Base, const Profile &Judged,
                       const Args &A) {
  const std::string Names =
      "'" + A.text("--base") + "' and '" + A.text("--record") + "' have ";
  auto And = [](size_t X, size_t Y) {
    return std::to_string(X) + " and " + std::to_string(Y);
  };
  if (Base.Ranks.size() != Judged.Ranks.size())
    return; // said, and no plan is carried out
  const unsigned Threads = threadsOf(Base), Wanted = threadsOf(Judged);
  if (Threads != Wanted)
    fail(Names + "teams of " + And(Threads, Wanted) +
         " threads; record a base input with as many as the target has, or "
         "say --threads " +
         std::to_string(Wanted));
  if (A.has("--allow-other-phases"))
    return;
  if (Base.Role == "prefix")
    return checkBeginning(Base, A.text("--base"), Judged, A);
  auto Created = [](const Profile &P) {
    return size_t(std::count_if(P.Tasks.begin(), P.Tasks.end(),
                                [](auto &T) { return T.flags & 1; }));
  };
  const bool Phases = Base.Phases.size() != Judged.Phases.size();
  if (Phases || Created(Base) != Created(Judged))
    fail(Names +
         (Phases ? And(Base.Phases.size(), Judged.Phases.size()) + " phases"
                 : And(Created(Base), Created(Judged)) + " created tasks") +
         "; record a base input with as many iterations as the target has, or "
         "say --allow-other-phases where data decide how many there are");
}

/// Shares of each object that are to be predicted fast.
static std::vector<std::string> readPlacements(const Args &A) {
  if (!A.has("--placements"))
    return {};
  if (!A.has("--facts"))
    fail("--placements needs --facts and --base: without them nothing is "
         "predicted");
  std::vector<std::string> Shares = splitList(A.text("--placements"), ',');
  for (const std::string &S : Shares)
    if (MaybeError E = checkFastSize(S))
      fail(E->Message);
  return Shares;
}

/// Ours once more, planned from the beginning of the judged run itself.
static void playPrefixed(const Args &A, const PlanInputs &From,
                         const Machine &Believed, const ReplayRequest &Common,
                         const std::vector<std::string> &Policies,
                         std::vector<PolicyResult> &Results,
                         std::vector<PredictedPolicy> &Predictions,
                         std::map<std::string, bool> &KeptFirstTouch) {
  PlanRequest Q;
  Q.F = &From.F;
  Q.Base = &From.Base;
  Q.M = &Believed;
  Q.Fast = std::to_string(Common.FastBytes);
  FirstPlan Own;
  Own.Its = orFail(makePlan(Q, &Own.From));
  const std::string Mark = "@prefix";
  if (contains(Policies, StaticName)) {
    ReplayRequest R = Common;
    R.P = &Own.Its;
    auto P = orFail(makePolicy(StaticName, R));
    Results.push_back(orFail(replay(R, *P)));
    Results.back().Name = StaticName + Mark;
    KeptFirstTouch[Results.back().Name] = Own.Its.KeepsFirstTouch;
    Predictions.push_back(
        offlinePrediction(plannedPhases(Own.Its, From, *Common.Record),
                          StaticName, Results.back()));
    Predictions.back().Name += Mark;
  }
  if (contains(Policies, HookName)) {
    auto P = orFail(makeHookPolicy(Q, Common, !A.has("--no-samples"), &Own));
    Results.push_back(orFail(replay(Common, *P)));
    Results.back().Name = HookName + Mark;
    KeptFirstTouch[Results.back().Name] = P->keptFirstTouch();
    Predictions.push_back(
        {Results.back().Name, "hook", P->predicted(), &Results.back()});
  }
}

/// Names alone for machines; what they do and whose they are for people.
static int listPolicies(bool Json) {
  if (Json) {
    printJson(policyNames());
    return 0;
  }
  Table T({"POLICY", "WHAT IT DOES", "SOURCE"});
  for (const PolicyInfo &P : allPolicies())
    T.row({P.Name, P.Does, P.Source});
  std::fputs(T.str().c_str(), stdout);
  return 0;
}

static int run(const Args &A) {
  if (A.text("--policy") == "list")
    return listPolicies(A.has("--json"));
  if (A.text("--policy") == "settings") {
    Table T({"SETTING", ">DEFAULT", "GRID", "MEANING"});
    for (const std::string &N : policyNames())
      listTunables(N, T);
    std::fputs(T.str().c_str(), stdout);
    return 0;
  }
  if (A.has("--plan") && A.has("--facts"))
    fail("give either --plan or --facts with --base");
  std::optional<Plan> Given;
  if (A.has("--plan"))
    Given = orFail(readPlan(A.text("--plan")));
  std::vector<std::string> Policies =
      chosenPolicies(A, Given ? Given->Planner : "");
  const std::vector<std::string> Shares = readPlacements(A);
  Machine M = orFail(readMachine(A.require("--machine")));
  // What the planner takes the machine for, where that is not what it is.
  Machine Believed = A.has("--plan-machine")
                         ? orFail(readMachine(A.text("--plan-machine")))
                         : M;
  MissRecord Record = orFail(readMissRecord(A.require("--record")));
  if (Record.Role == "prefix")
    fail("'" + A.text("--record") +
         "' has the beginning of a run, to plan from; to replay it, record all "
         "of it with --role target");
  if (Record.Races)
    std::fprintf(stderr,
                 "evenkeel: the recorded program has data races (%u pairs of "
                 "places): a second record may differ\n",
                 Record.Races);
  if (Record.OneIn != 1)
    leaveOutPageWatchers(Record, splitList(A.text("--policy"), ','), Policies);
  if (A.has("--llc")) {
    if (A.has("--profile-of-target"))
      fail("--llc changes the record that --profile-of-target plans from; give "
           "one of them");
    uint64_t Bytes = orFail(parseFastSize(A.text("--llc"), 0));
    if (!Bytes)
      fail("--llc is a size like 8MiB, not '" + A.text("--llc") + "'");
    Record = orFail(withLastLevel(Record, Bytes));
  }
  Believed = withoutUnreachedTiers(std::move(Believed),
                                   double(recordedPeakBytes(Record)));
  uint64_t Fast =
      orFail(parseFastSize(A.require("--fast"), recordedPeakBytes(Record)));

  if (MaybeError E = checkFastOn(M, Fast))
    fail("--fast " + A.text("--fast") + ": " + E->Message);

  std::optional<PlanInputs> In;
  if (A.has("--facts")) {
    In = readPlanInputs(A, false);
    checkAlike(In->recorded(), Record, A);
    for (const std::string &Note : In->Notes)
      std::fprintf(stderr, "evenkeel: %s\n", Note.c_str());
  }
  if (Given && !Given->Objects.empty()) {
    // A record knows no facts, so their hash cannot be compared; the sites can.
    bool Known = false;
    for (const PlanObject &O : Given->Objects)
      for (const ek_raw_inst &X : Record.Instances)
        Known |= X.site == O.Site;
    if (!Known)
      fail("plan '" + A.text("--plan") + "' is for another program than '" +
           A.text("--record") + "': no site of it was recorded");
  }

  std::optional<PlanInputs> Prefix;
  if (A.has("--prefix")) {
    if (!In)
      fail("--prefix needs --facts and --base");
    Prefix = readPrefixInputs(A, A.text("--prefix"));
    if (!A.has("--allow-other-phases"))
      checkBeginning(Prefix->recorded(), A.text("--prefix"), Record, A);
  }
  const bool OtherRanks = saysOtherRanks(Given, In, Record);
  auto Prepared = orFail(prepareRecord(Record));
  const std::map<std::string, Settings> Set = readSettings(A);
  for (const auto &Entry : Set)
    if (std::none_of(Policies.begin(), Policies.end(), [&](auto &P) {
          return canonicalPolicy(P) == Entry.first;
        }))
      fail("--set names policy '" + Entry.first + "', which is not replayed");
  std::vector<PolicyResult> Results;
  Results.reserve(2 * Policies.size() + 2); // predictions point into it
  std::vector<PredictedPolicy> Predictions;
  std::optional<FirstPlan> Offline; // ours, and what is predicted without it
  nlohmann::json Tuning = nlohmann::json::object();
  std::map<std::string, bool> KeptFirstTouch; // of ours
  ReplayRequest Common;
  Common.Record = &Record;
  Common.M = &M;
  Common.FastBytes = Fast;
  Common.Prepared = Prepared.get();
  PlanRequest FromBase;
  if (In) {
    FromBase.F = &In->F;
    FromBase.Base = &In->Base;
    FromBase.M = &Believed;
    FromBase.Fast = std::to_string(Fast);
    FromBase.For = In->For;
    FromBase.Seen = In->Seen;
    Offline.emplace();
    Offline->Its = orFail(makePlan(FromBase, &Offline->From));
  }
  // Any policy but ours with migration; \p Q: what its planner goes by.
  auto Play = [&](const std::string &Name, PlanRequest Q,
                  const Settings &Tuned) {
    ReplayRequest R = Common;
    std::optional<Plan> Own;
    const std::string Planner = plannerOf(Name);
    if (!needsPlan(Name))
      R.Tuned = Tuned;
    if (In && Planner == HookName) {
      R.P = &Offline->Its;
    } else if (In && contains(plannerNames(), Planner)) {
      Q.Planner = Planner;
      Q.Tuned = Tuned;
      Own = orFail(makePlan(Q));
      R.P = &*Own;
    } else if (Given) {
      R.P = &*Given;
    }
    auto P = orFail(makePolicy(Name, R));
    return orFail(replay(R, *P));
  };
  Progress Shown("replaying policies");
  for (const std::string &Name : Policies) {
    Settings Tuned;
    bool IsSet = false;
    if (auto It = Set.find(canonicalPolicy(Name)); It != Set.end()) {
      Tuned = It->second;
      IsSet = true;
    }
    if (OtherRanks && needsPlan(Name)) {
      Results.push_back(Play("first-touch", FromBase, {}));
      Results.back().Name = Name;
      KeptFirstTouch[Name] = true;
    } else if (In && Name == HookName) {
      auto P = orFail(
          makeHookPolicy(FromBase, Common, !A.has("--no-samples"), &*Offline));
      Results.push_back(orFail(replay(Common, *P)));
      Predictions.push_back({Name, "hook", P->predicted(), &Results.back()});
      KeptFirstTouch[Name] = P->keptFirstTouch();
      for (const std::string &Note : P->notes())
        std::fprintf(stderr, "evenkeel: %s: %s\n", Name.c_str(), Note.c_str());
      for (const auto &[Why, Times] : P->failed())
        std::fprintf(
            stderr,
            "evenkeel: %s: could not plan again %u times, so the plan in "
            "force was kept: %s\n",
            Name.c_str(), Times, Why.c_str());
    } else {
      Results.push_back(Play(Name, FromBase, Tuned));
      Results.back().Name = Name;
      if (In && Name == StaticName)
        KeptFirstTouch[Name] = Offline->Its.KeepsFirstTouch;
      if (In &&
          (Name == "slow-only" || Name == "fast-only" || Name == StaticName))
        Predictions.push_back(offlinePrediction(
            plannedPhases(Offline->Its, *In, Record), Name, Results.back()));
      if (A.has("--tune") && !IsSet && plannerOf(Name) != HookName)
        for (const Settings &Point : gridPoints(tunablesOf(Name)))
          if (!Point.empty())
            Tuning[Name].push_back(
                tuningRow(Point, Play(Name, FromBase, Point)));
    }
    // What the rival would do if it had profiled this very input.
    if (In && A.has("--profile-of-target") && needsPlan(Name) &&
        plannerOf(Name) != HookName) {
      Profile Its = Record; // without the judge's view
      Its.Role = "base";
      PlanRequest Q = FromBase;
      Q.Base = &Its;
      Q.For.clear();
      Results.push_back(Play(Name, Q, Tuned));
      Results.back().Name = Name + "@target";
    }
    Shown.step(std::min(Results.size(), Policies.size()), Policies.size());
  }
  if (Prefix && !OtherRanks)
    playPrefixed(A, *Prefix, Believed, Common, Policies, Results, Predictions,
                 KeptFirstTouch);
  std::vector<PolicyResult> Placed;
  std::vector<PredictedPolicy> ByModel;
  if (!Shares.empty()) {
    PlanRequest Q;
    Q.F = &In->F;
    Q.Base = &In->Base;
    Q.M = &Believed;
    Q.For = In->For;
    Q.Seen = In->Seen;
    ReplayRequest R;
    R.Record = &Record;
    R.M = &M;
    R.Prepared = Prepared.get();
    Placed.reserve(Shares.size());
    predictPlacements(Shares, Q, R, !A.has("--no-samples"), Placed, ByModel);
  }
  if (A.has("--json")) {
    nlohmann::json J =
        nlohmann::json::parse(simulationToJson(M, Fast, Results));
    J["peak_bytes"] = recordedPeakBytes(Record);
    for (nlohmann::json &P : J["policies"])
      if (auto It = KeptFirstTouch.find(P["name"]); It != KeptFirstTouch.end())
        P["keeps_first_touch"] = It->second;
    if (A.has("--tasks"))
      addTasks(J, Results);
    if (A.has("--tune"))
      J["tuning"] = Tuning;
    if (!Predictions.empty())
      J["prediction"] = predictionJson(Predictions);
    if (!ByModel.empty())
      J["placements"] =
          predictionJson(ByModel, A.has("--tasks"), recordedCounts(Record));
    std::string Text = J.dump(2) + "\n";
    std::fwrite(Text.data(), 1, Text.size(), stdout);
    return 0;
  }
  std::fputs(simulationToTable(M, Fast, Results).c_str(), stdout);
  if (In && !OtherRanks && contains(Policies, HookName))
    std::printf(
        "%s: planned again at each hook, from sizes, captured values, task "
        "times%s\n",
        HookName, A.has("--no-samples") ? "" : " and sampled stalls");
  if (!Predictions.empty())
    std::printf("\n%s", predictionTable(Predictions, In->F).c_str());
  if (!ByModel.empty())
    std::printf("\n%s", placementTable(ByModel).c_str());
  if (A.has("--tasks")) {
    std::puts("");
    Table Times({"POLICY", ">PHASE", ">TASK", ">TIME"});
    for (const PolicyResult &R : Results)
      for (const TaskResult &X : R.Tasks)
        Times.row({R.Name, std::to_string(X.Phase), std::to_string(X.Index),
                   secondsText(X.Seconds)});
    std::fputs(Times.str().c_str(), stdout);
  }
  return 0;
}

namespace evenkeel::cli {
const Subcommand &simulateCommand() {
  static const Subcommand C = {
      "simulate",
      "How long would a recorded run have taken under each placement policy?",
      "simulate --record TARGET.ekdb --machine M --fast 25%|SIZE [--plan FILE "
      "| --facts F --base B [--for ..]] [--policy a,b,c|all]",
      "evenkeel record --misses --role target -o target.ekdb \\\n  -- "
      "./solver.recorded 1000 10\nevenkeel simulate --record target.ekdb "
      "--machine optane-6252n --fast 25% \\\n  --facts facts.json --base "
      "base.ekdb --for n=1000",
      {{"--record", nullptr, "FILE",
        "the run to judge by: a profile of all of it, recorded with "
        "--record=misses"},
       {"--machine", nullptr, "M",
        "the machine to simulate: a name that 'evenkeel machine list' shows, "
        "or a machine file"},
       {"--fast", nullptr, "SHARE",
        "fast memory: a share of the recorded peak of the program's data "
        "(25%), or a size (16GiB)"},
       {"--facts", nullptr, "FILE",
        "with --base: what analyze wrote, from which each planner makes its "
        "own plan"},
       {"--base", nullptr, "FILE",
        "with --facts: what record wrote of another input; planners see "
        "nothing else of the program"},
       {"--for", nullptr, "NAME=VALUE",
        "with --facts: a size of the recorded run's input, as for plan; "
        "repeatable"},
       {"--plan", nullptr, "FILE",
        "instead of --facts: carry out this plan, under the name of the "
        "planner that made it"},
       {"--policy", nullptr, "A,B",
        "policies to compare, or all; list shows their names, settings what "
        "--set can change",
        "all"},
       {"--set", nullptr, "POLICY.NAME=N",
        "change a setting of a policy; repeatable"},
       {"--threads", nullptr, "N",
        "with --facts: number of threads of the recorded run (default: as in "
        "the base run)"},
       {"--tasks", nullptr, nullptr, "also show the time of every task"},
       {"--seen", nullptr, "FILE",
        "with --facts: what an earlier run with a plan printed (run --json), "
        "as for plan; repeatable"},
       {"--prefix", nullptr, "FILE",
        "with --facts: also judge plans made from the beginning of this very "
        "run (record --sampled), as NAME@prefix"},
       {"--allow-other-phases", nullptr, nullptr,
        "accept a base run that has another number of phases, or of tasks in "
        "them, than the recorded run"},
       {"--plan-machine", nullptr, "M",
        "plan for this machine, but judge on the one of --machine: what a "
        "wrong machine file costs"},
       {"--llc", nullptr, "SIZE",
        "judge with a last-level cache of this size that all tasks share"},
       {"--profile-of-target", nullptr, nullptr,
        "also let the planners of papers plan from the recorded run itself, as "
        "NAME@target"},
       {"--no-samples", nullptr, nullptr,
        "let 'balanced' see sizes and times at its hooks, but no sampled "
        "addresses, as on processors that sample none"},
       {"--placements", nullptr, "A,B",
        "show how far each cost model's task times are off with these shares "
        "of fast memory, such as 0%,25%,50%,75%,100%; with --policy \"\" "
        "nothing else is replayed"},
       {"--tune", nullptr, nullptr,
        "with --json: also replay every policy with each combination of its "
        "settings"}},
      run};
  return C;
}
} // namespace evenkeel::cli
