//===- Simulate.cpp - evenkeel simulate -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to judge policies by replaying a recorded run of the target. With
// facts and a base profile, planners' policies make their own plans, from
// nothing else.
// Not here: timing (profiles/simulator) and planning (profiles/planner).
//===----------------------------------------------------------------------===//
#include "cli/programs/Launched.h"
#include "cli/replay/ReadRun.h"
#include "cli/replay/RequiredReplay.h"
#include "cli/replay/Sweep.h"
#include "cli/tables/PhaseGroups.h"
#include "cli/workspace/Tuned.h"
#include "format/Identity.h"
#include "format/plan/HandedValues.h"
#include "simulator/SimulationReport.h"
#include <algorithm>
#include <cstdio>

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

static std::vector<std::string>
chosenPolicies(const Args &A, const std::string &PlannerOfPlan) {
  std::vector<std::string> Known = policyNames(), Out;
  bool CanPlan = A.has("--facts");
  auto Possible = [&](const std::string &Name) {
    const std::string Planner = policyPlanner(Name);
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

/// For a sampled record, `all` means the policies that it can judge.
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

/// Reads --set POLICY.NAME=NUMBER, by policy.
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

static void listTunables(const std::string &Policy, Table &T) {
  for (const Tunable &X : tunablesOf(Policy)) {
    std::string Grid;
    for (double V : X.Grid)
      Grid += (Grid.empty() ? "" : " ") + figureText(V);
    T.row({Policy + "." + X.Name, figureText(X.Default), Grid, X.Meaning});
  }
}

/// Adds the time of every task, and phases that repeat as groups, to the
/// simulator's document.
static void addTasks(nlohmann::json &J,
                     const std::vector<PolicyResult> &Results) {
  J["phase_groups"] = nlohmann::json::array();
  if (!Results.empty())
    for (const PhaseGroup &G : groupPhases(phaseKeys(Results[0])))
      J["phase_groups"].push_back(
          {{"phases", G.Phases},
           {"loop", G.Loop ? nlohmann::json(G.Loop) : nullptr}});
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

/// The shares of each object for which times are predicted.
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

/// JSON has only the names; the table also has descriptions and sources.
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

/// What a sweep compares unless --policy says more.
static std::vector<std::string> sweepPolicies(const Args &A) {
  std::vector<std::string> Out{"first-touch"};
  if (A.has("--facts"))
    Out.push_back(OwnStatic);
  Out.push_back("oracle");
  return Out;
}

/// Options whose answers are long or cost many replays hold for one amount of
/// fast memory.
static void checkSweep(const Args &A) {
  for (const char *Option :
       {"--tasks", "--decisions", "--placements", "--tune", "--prefix"})
    if (A.has(Option))
      fail(std::string(Option) +
           " takes one amount of fast memory, not --fast " + A.text("--fast"));
  if (A.has("--plan"))
    fail("a plan is for one amount of fast memory; give --facts and --base "
         "instead of --plan, and each amount gets its own plan");
}

static void readAll(const Args &A, JudgedRun &J, PolicyChoice &C) {
  if (splitList(A.text("--fast"), ',').size() > 1)
    checkSweep(A);
  J.Given = readGivenPlan(A);
  C.Policies = chosenPolicies(A, J.Given ? J.Given->Planner : "");
  C.Shares = readPlacements(A);
  const std::string Balance = A.text("--balance");
  if (Balance != "sizes" && Balance != "times")
    fail("--balance must be sizes or times");
  C.Hooks.Times = Balance == "times";
  C.Tune = A.has("--tune");
  C.ProfileOfTarget = A.has("--profile-of-target");
  readRun(A,
          A.Command.empty() ? std::optional<CommandLine>()
                            : targetCommandLine(A.Command),
          J);
  if (J.Amounts.size() > 1 && !A.has("--policy"))
    C.Policies = sweepPolicies(A);
  if (J.Record.OneIn != 1)
    leaveOutPageWatchers(J.Record, splitList(A.text("--policy"), ','),
                         C.Policies);
  C.Set = readSettings(A);
  for (const auto &Entry : C.Set)
    if (std::none_of(C.Policies.begin(), C.Policies.end(), [&](auto &P) {
          return canonicalPolicy(P) == Entry.first;
        }))
      fail("--set names policy '" + Entry.first + "', which is not replayed");
}

/// What planning at hooks is based on.
static std::vector<std::string> hooksKnow(const HookSight &Sees,
                                          const Facts &F) {
  std::vector<std::string> Out{"sizes", "handed-over values"};
  const std::vector<PlanValue> Handed = handedValues(F);
  if (std::any_of(Handed.begin(), Handed.end(),
                  [](const PlanValue &V) { return V.IsTotal; }))
    Out.push_back("totals of loops");
  if (Sees.Times)
    Out.push_back("task times");
  return Out;
}

static std::string listed(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &W : Words)
    Out += (Out.empty() ? "" : ", ") + W;
  return Out;
}

static nlohmann::json decisionsJson(const std::vector<DecidedPart> &Decided) {
  nlohmann::json Out = nlohmann::json::array();
  for (const DecidedPart &D : Decided)
    Out.push_back({{"phase", D.Phase},
                   {"site", idToString(D.Object.Site)},
                   {"creator", D.Object.Creator},
                   {"ordinal", D.Object.Ordinal},
                   {"from", D.From},
                   {"to", D.To},
                   {"was", D.Was},
                   {"share", D.Share}});
  return Out;
}

static void printResultsJson(const Args &A, const JudgedRun &J,
                             const PolicyChoice &C, const PolicyRuns &Runs) {
  nlohmann::json Out =
      nlohmann::json::parse(simulationToJson(J.M, J.FastBytes, Runs.Results));
  Out["peak_bytes"] = recordedPeakBytes(J.Record);
  if (J.In && !J.OtherRanks)
    Out["hooks_know"] = hooksKnow(C.Hooks, J.In->F);
  for (nlohmann::json &P : Out["policies"])
    if (auto It = Runs.KeptFirstTouch.find(P["name"]);
        It != Runs.KeptFirstTouch.end())
      P["keeps_first_touch"] = It->second;
  if (A.has("--tasks"))
    addTasks(Out, Runs.Results);
  if (A.has("--decisions"))
    Out["decisions"] = decisionsJson(Runs.Decided);
  if (A.has("--tune"))
    Out["tuning"] = Runs.Tuning;
  if (!Runs.Predictions.empty())
    Out["prediction"] = predictionJson(Runs.Predictions, A.has("--tasks"));
  if (!Runs.ByModel.empty())
    Out["placements"] = predictionJson(Runs.ByModel, A.has("--tasks"),
                                       recordedCounts(J.Record));
  std::string Text = Out.dump(2) + "\n";
  std::fwrite(Text.data(), 1, Text.size(), stdout);
}

static void printResults(const Args &A, const JudgedRun &J,
                         const PolicyChoice &C, const PolicyRuns &Runs) {
  if (J.In && !J.OtherRanks)
    std::printf("hooks know %s: %s\n",
                listed(hooksKnow(C.Hooks, J.In->F)).c_str(),
                C.Hooks.Times ? "as the runtime with EVENKEEL_BALANCE=times"
                              : "as the runtime with EVENKEEL_BALANCE=sizes");
  std::fputs(simulationToTable(J.M, J.FastBytes, Runs.Results).c_str(), stdout);
  if (!Runs.Predictions.empty())
    std::printf("\n%s", predictionTable(Runs.Predictions, J.In->F).c_str());
  if (!Runs.ByModel.empty())
    std::printf("\n%s", placementTable(Runs.ByModel).c_str());
  if (A.has("--tasks")) {
    std::puts("");
    Table Times({"POLICY", ">PHASE", ">TASK", ">TIME"});
    for (const PolicyResult &R : Runs.Results)
      for (const TaskResult &X : R.Tasks)
        Times.row({R.Name, std::to_string(X.Phase), std::to_string(X.Index),
                   secondsText(X.Seconds)});
    std::fputs(Times.str().c_str(), stdout);
  }
}

/// Replays with each amount of fast memory.
static int sweep(const Args &A, JudgedRun &J, const PolicyChoice &C) {
  const std::vector<SweepPoint> Points = playSweep(J, C);
  if (A.has("--json"))
    printJson(sweepToJson(J, Points));
  else
    std::fputs(sweepText(J, Points).c_str(), stdout);
  return 0;
}

static int run(const Args &Given) {
  if (Given.has("--machine"))
    if (Machine M = orFail(readMachine(Given.text("--machine")));
        M.hasRequiredTier())
      return simulateRequired(Given, std::move(M));
  const Args A = withTuned(Given);
  if (A.text("--policy") == "list")
    return listPolicies(A.has("--json"));
  if (A.text("--policy") == "settings") {
    Table T({"SETTING", ">DEFAULT", "GRID", "MEANING"});
    for (const std::string &N : policyNames())
      listTunables(N, T);
    std::fputs(T.str().c_str(), stdout);
    return 0;
  }
  JudgedRun J;
  PolicyChoice C;
  readAll(A, J, C);
  if (J.Amounts.size() > 1)
    return sweep(A, J, C);
  const PolicyRuns Runs = playPolicies(J, C);
  if (A.has("--json"))
    printResultsJson(A, J, C, Runs);
  else
    printResults(A, J, C, Runs);
  return 0;
}

namespace evenkeel::cli {
const Subcommand &simulateCommand() {
  static const Subcommand C = {
      "simulate",
      "How long would a recorded run have taken under each placement policy?",
      "simulate --record TARGET.ekdb --machine M --fast 25%|SIZE [--plan FILE "
      "| --facts F --base B [--for ..]] [--policy a,b,c|all] [-- CMD...]",
      "evenkeel record --role target -o target.ekdb \\\n  -- "
      "./solver 1000 10\nevenkeel simulate --record target.ekdb "
      "--machine optane-6252n --fast 25% \\\n  --facts facts.json --base "
      "base.ekdb --for n=1000",
      {{"--record", nullptr, "FILE",
        "the run to judge by: a profile of all of it, made by record "
        "--misses"},
       {"--machine", nullptr, "M",
        "the machine to simulate: a name that 'evenkeel machine list' shows, "
        "or a machine file"},
       {"--fast", nullptr, "SHARE,..",
        "fast memory: a share of the recorded peak of the program's data "
        "(25%), or a size (16GiB); several (0%,25%,50%) show how time "
        "depends on it"},
       {"--facts", nullptr, "FILE",
        "with --base: what analyze wrote, from which each planner makes its "
        "own plan"},
       {"--base", nullptr, "FILE",
        "with --facts: what record wrote of another input; planners see "
        "nothing else of the program; repeatable"},
       {"--for", nullptr, "NAME=VALUE",
        "with --facts: a size of the recorded run's input, as for plan; "
        "repeatable"},
       {"--plan", nullptr, "FILE",
        "instead of --facts: carry out this plan, under the name of the "
        "planner that made it"},
       {"--policy", nullptr, "A,B",
        "policies to compare, or all; list shows their names, settings what "
        "--set can change (with several amounts of fast memory by default "
        "first touch, our plan, and the best placement found). On a machine "
        "with a required tier: vdnn, superneurons, dymem and balanced, which "
        "copy whole objects in and out",
        "all"},
       {"--set", nullptr, "POLICY.NAME=N",
        "change a setting of a policy; repeatable"},
       {"--threads", nullptr, "N",
        "with --facts: number of threads of the recorded run (default: as in "
        "the base run)"},
       {"--tasks", nullptr, nullptr, "also show the time of every task"},
       {"--prefix", nullptr, "FILE",
        "with --facts: also judge plans made from the beginning of this very "
        "run (record --sampled), as NAME@prefix"},
       {"--allow-other-phases", nullptr, nullptr,
        "accept a base run that has another number of phases, or of tasks in "
        "them, than the recorded run: as in the runtime, a hook ends the "
        "plan's "
        "next phase that has its id"},
       {"--plan-machine", nullptr, "M",
        "plan for this machine, but judge on the one of --machine: what a "
        "wrong machine file costs"},
       {"--llc", nullptr, "SIZE",
        "judge with a last-level cache of this size that all tasks share"},
       {"--profile-of-target", nullptr, nullptr,
        "also let the planners of papers plan from the recorded run itself, as "
        "NAME@target"},
       {"--balance", nullptr, "WHAT",
        "let hooks know what the runtime's know with this value of "
        "EVENKEEL_BALANCE: sizes, or times, too",
        "sizes"},
       {"--decisions", nullptr, nullptr,
        "with --json: also list what hooks moved"},
       {"--placements", nullptr, "A,B",
        "show how far each cost model's task times are off with these shares "
        "of fast memory, such as 0%,25%,50%,75%,100%; with --policy \"\" "
        "nothing else is replayed"},
       {"--tune", nullptr, nullptr,
        "with --json: also replay every policy with each combination of its "
        "settings"},
       {"--workspace", nullptr, "DIR",
        "where evenkeel tune keeps what it knows of the program after --; "
        "without --facts, --base and --plan, simulate takes facts, base, "
        "machine and fast memory from there (default: "
        "EVENKEEL_WORKSPACE, or .evenkeel beside the program)"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
