//===- Simulate.cpp - evenkeel simulate -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: judge policies by replaying a recorded run of the target. With facts
// and a base profile, the planners' policies make their own plans, from those
// two alone.
// Leaves out: timing (profiles/simulator) and planning (profiles/planner).
//===----------------------------------------------------------------------===//
#include "Planning.h"
#include "format/Machine.h"
#include "format/Plan.h"
#include "simulator/Replay.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static bool contains(const std::vector<std::string> &V, const std::string &S) {
  return std::find(V.begin(), V.end(), S) != V.end();
}

static std::vector<std::string> chosenPolicies(const Args &A) {
  std::vector<std::string> Known = policyNames(), Out;
  bool CanPlan = A.has("--facts");
  for (const std::string &Name : splitList(A.text("--policy"), ',')) {
    if (Name == "all") {
      for (const std::string &K : Known)
        if (!contains(plannerNames(), K) || CanPlan ||
            (A.has("--plan") && K == "balanced"))
          Out.push_back(K);
      continue;
    }
    if (!contains(Known, Name))
      fail("unknown policy '" + Name + "'; see --policy list");
    Out.push_back(Name);
  }
  return Out;
}

static nlohmann::json toJson(const std::string &Machine, uint64_t FastBytes,
                             const std::vector<PolicyResult> &Results,
                             bool Tasks) {
  nlohmann::json J = {{"schema", "evenkeel.simulation/1"},
                      {"machine", Machine},
                      {"fast_bytes", FastBytes},
                      {"policies", nlohmann::json::array()}};
  for (const PolicyResult &R : Results) {
    nlohmann::json P = {{"name", R.Name},
                        {"makespan_s", R.MakespanSeconds},
                        {"acv", R.Acv},
                        {"barrier_wait_s", R.BarrierWaitSeconds},
                        {"fast_access_share", R.FastAccessShare},
                        {"migrated_bytes", R.MigratedBytes},
                        {"peak_fast_bytes", R.PeakFastBytes},
                        {"refused_bytes", R.RefusedBytes}};
    if (Tasks) {
      P["tasks"] = nlohmann::json::array();
      for (const TaskResult &T : R.Tasks)
        P["tasks"].push_back(
            {{"phase", T.Phase}, {"index", T.Index}, {"seconds", T.Seconds}});
      P["phase_seconds"] = R.PhaseSeconds;
    }
    J["policies"].push_back(P);
  }
  return J;
}

static int run(const Args &A) {
  if (A.text("--policy") == "list") {
    std::vector<std::string> Names = policyNames();
    if (A.has("--json"))
      printJson(Names);
    else
      for (const std::string &N : Names)
        std::puts(N.c_str());
    return 0;
  }
  if (A.has("--plan") && A.has("--facts"))
    fail("give either --plan or --facts with --base");
  std::vector<std::string> Policies = chosenPolicies(A);
  Machine M = orFail(readMachine(A.require("--machine")));
  MissRecord Record = orFail(readMissRecord(A.require("--record")));
  uint64_t Fast =
      orFail(parseFastSize(A.require("--fast"), recordedPeakBytes(Record)));

  std::optional<PlanInputs> In;
  std::optional<Plan> Given;
  if (A.has("--facts"))
    In = readPlanInputs(A, false);
  if (A.has("--plan"))
    Given = orFail(readPlan(A.text("--plan")));

  std::vector<PolicyResult> Results;
  Progress Shown("replaying policies");
  for (const std::string &Name : Policies) {
    std::optional<Plan> Own;
    ReplayRequest R;
    R.Record = &Record;
    R.M = &M;
    R.FastBytes = Fast;
    if (contains(plannerNames(), Name)) {
      if (In) {
        PlanRequest Q;
        Q.F = &In->F;
        Q.Base = &In->Base;
        Q.M = &M;
        Q.Fast = std::to_string(Fast);
        Q.For = In->For;
        Q.Planner = Name;
        Own = orFail(makePlan(Q));
        R.P = &*Own;
      } else if (Given) {
        if (Given->Planner != Name)
          fail("policy '" + Name + "' needs a plan of that planner, '" +
               A.text("--plan") + "' is by " + Given->Planner +
               "; give --facts and --base instead");
        R.P = &*Given;
      } else {
        fail("policy '" + Name +
             "' plans: give --plan, or --facts with --base");
      }
    }
    std::unique_ptr<Policy> P = orFail(makePolicy(Name, R));
    Results.push_back(orFail(replay(R, *P)));
    Shown.step(Results.size(), Policies.size());
  }
  if (A.has("--json")) {
    printJson(toJson(M.Name, Fast, Results, A.has("--tasks")));
    return 0;
  }
  std::printf("machine %s, fast %s of %s recorded peak\n\n", M.Name.c_str(),
              bytesText(double(Fast)).c_str(),
              bytesText(double(recordedPeakBytes(Record))).c_str());
  Table T({"POLICY", ">MAKESPAN", ">A.C.V.", ">BARRIER WAIT", ">FAST ACCESSES",
           ">MIGRATED", ">REFUSED"});
  for (const PolicyResult &R : Results) {
    char Acv[32];
    std::snprintf(Acv, sizeof Acv, "%.4f", R.Acv);
    T.row({R.Name, secondsText(R.MakespanSeconds), Acv,
           secondsText(R.BarrierWaitSeconds), percentText(R.FastAccessShare),
           bytesText(double(R.MigratedBytes)),
           bytesText(double(R.RefusedBytes))});
  }
  std::fputs(T.str().c_str(), stdout);
  if (A.has("--tasks")) {
    std::puts("");
    Table Times({"POLICY", ">PHASE", ">TASK", ">TIME"});
    for (const PolicyResult &R : Results)
      for (const TaskResult &X : R.Tasks)
        Times.row({R.Name, std::to_string(X.Phase), std::to_string(X.Index),
                   secondsText(X.Seconds)});
    std::fputs(Times.str().c_str(), stdout);
  }
  for (const std::string &X : M.Assumed)
    std::printf("assumed: %s\n", X.c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &simulateCommand() {
  static const Subcommand C = {
      "simulate",
      "replay a recorded run under placement policies",
      "simulate --record TARGET.ekdb --machine M --fast 25%|SIZE [--plan FILE "
      "| "
      "--facts F --base B [--for ..]] [--policy a,b,c|all]",
      "evenkeel simulate --record target.ekdb --machine optane-6252n --fast "
      "12.5% --facts facts.json --base base.ekdb --policy all",
      {{"--record", nullptr, "FILE", "profile of the target, with misses"},
       {"--machine", nullptr, "M", "name of a machine, or a machine file"},
       {"--fast", nullptr, "SHARE",
        "fast memory: a share of the recorded peak, or a size"},
       {"--plan", nullptr, "FILE", "plan for the policy of its planner"},
       {"--facts", nullptr, "FILE", "facts.json, to plan for every planner"},
       {"--base", nullptr, "FILE", "profile of a base input, with --facts"},
       {"--for", nullptr, "NAME=VALUE", "symbol of the target, with --facts"},
       {"--policy", nullptr, "A,B", "policies, all, or list", "all"},
       {"--tasks", nullptr, nullptr, "replayed time of every task as well"}},
      run};
  return C;
}
} // namespace evenkeel::cli
