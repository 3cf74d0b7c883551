//===- Report.cpp - evenkeel report ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: from which files a report is made: those of plan, or a plan, and
// those of simulate where the target was recorded.
// Makes: one HTML file.
// Not here: what the page shows (report/).
//===----------------------------------------------------------------------===//
#include "cli/programs/Launched.h"
#include "cli/replay/ReadRun.h"
#include "cli/report/Gather.h"
#include "cli/report/MakeData.h"
#include "cli/report/Page.h"
#include "cli/report/ReportJson.h"
#include "cli/tables/PlanTables.h"
#include "format/Replan.h"
#include "format/plan/PlanIndex.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

/// The words of a command line, to be shown: absolute paths by their last part.
static std::string shownWords(const std::vector<std::string> &Words) {
  std::string Out;
  for (const std::string &W : Words) {
    const std::string Short =
        W.empty() || W[0] != '/' ? W
                                 : std::filesystem::path(W).filename().string();
    const bool Quoted =
        Short.empty() ||
        Short.find_first_of(" \t\n'\"$&|;<>()*?#") != std::string::npos;
    Out += (Out.empty() ? "" : " ") + (Quoted ? "'" + Short + "'" : Short);
  }
  return Out;
}

/// A recorded command line, in the same way.
static std::string shownCommand(const Profile &P) {
  return P.Ran.known() ? shownWords(P.Ran.Arguments)
                       : shownWords(splitList(P.Command, ' '));
}

/// The command that makes this report.
static std::string madeBy(const Args &A) {
  std::vector<std::string> Words{"evenkeel", "report"};
  for (const Option &O : *A.Options)
    for (const std::string &Value : A.all(O.Name)) {
      Words.push_back(O.Name);
      if (O.Value)
        Words.push_back(Value);
    }
  if (!A.Command.empty()) {
    Words.push_back("--");
    Words.insert(Words.end(), A.Command.begin(), A.Command.end());
  }
  return shownWords(Words);
}

/// What a plan was made from, by the plan itself.
static PlanInputs inputsOf(const ReplanData &D) {
  PlanInputs In{D.F, D.Base, {}};
  for (const auto &[Name, Task, Value] : D.For)
    In.For.push_back({Name, Task, Value});
  In.Seen = D.Seen;
  return In;
}

/// Whether both plans place each object of \p Pr alike.
static bool placeAlike(const Plan &A, const Plan &B, const Problem &Pr) {
  const PlanIndex X(A.Objects), Y(B.Objects);
  auto Same = [](const PlanRange &P, const PlanRange &Q) {
    return P.From == Q.From && P.To == Q.To && P.Share == Q.Share;
  };
  for (const PredictedInstance &I : Pr.Instances) {
    const PlanObject *P = X.find(nameOf(I)), *Q = Y.find(nameOf(I));
    if (!P != !Q ||
        (P && !std::equal(P->Ranges.begin(), P->Ranges.end(), Q->Ranges.begin(),
                          Q->Ranges.end(), Same)))
      return false;
  }
  return A.KeepsFirstTouch == B.KeepsFirstTouch;
}

namespace {
/// All that is read, and what is made of it.
struct Work {
  std::optional<Plan> Given;
  PlanInputs In; // without a record
  Machine M;
  JudgedRun J; // with a record
  ReportPlan What;
  std::unique_ptr<GatheredReport> Made;
};
} // namespace

static void readInputs(const Args &A, Work &W) {
  W.Given = readGivenPlan(A);
  if (!W.Given) {
    A.requireAll({"--facts", "--base", "--machine", "--fast"});
    W.What.Fast = A.require("--fast");
    if (A.has("--record"))
      return; // readRun reads all of them
    W.In = readPlanInputs(A, false, targetCommandLine(A.Command));
    W.M = orFail(readMachine(A.require("--machine")));
    return;
  }
  for (const char *Option : {"--machine", "--fast", "--base", "--for"})
    if (A.has(Option))
      fail(std::string("--plan has what ") + Option +
           " says; leave it out, or give --facts and --base instead of the "
           "plan");
  ReplanData D = orFail(readReplan(W.Given->ReplanJson, A.text("--plan")));
  W.What = {D.Fast, D.Planner, D.Model, {}};
  W.M = D.M;
  W.M.Assumed = W.Given->Assumed; // its figures have no sources there
  W.In = inputsOf(D);
}

/// With a record: the rest of it, and the replays.
static void gatherWithRecord(const Args &A, Work &W) {
  if (W.Given) {
    W.J.M = W.M;
    W.J.In = std::move(W.In);
    W.J.Amounts = {{W.What.Fast, W.Given->FastBytes}};
  }
  readRun(A,
          A.Command.empty() ? std::optional<CommandLine>()
                            : targetCommandLine(A.Command),
          W.J);
  if (W.J.Amounts.size() > 1)
    fail("--fast takes one amount for a report; --amounts says which others to "
         "compare");
  W.Made = gatherReplayed(W.J, W.What);
  W.Made->Input.Program = shownCommand(W.J.Record);
}

/// The commands that carry out the plan.
static std::vector<std::string> nextCommands(const Work &W, const Args &A,
                                             const std::string &Program) {
  const Plan &P = W.Made->P;
  if (P.KeepsFirstTouch)
    return {};
  const std::string File = A.has("--plan") ? shownWords({A.text("--plan")})
                                           : std::string("plan.json");
  std::vector<std::string> Out;
  if (!A.has("--plan"))
    Out.push_back("evenkeel plan --facts " + shownWords({A.text("--facts")}) +
                  " --base " + shownWords({A.text("--base")}) + " --machine " +
                  shownWords({A.text("--machine")}) + " --fast " +
                  A.text("--fast") + " -o " + File +
                  (Program.empty() ? "" : " -- ./" + Program));
  Out.push_back((P.Ranks.empty()
                     ? ""
                     : "mpirun -n " + std::to_string(P.Ranks.size()) + " ") +
                "evenkeel run --plan " + File + " --summary -- " +
                (Program.empty() ? "PROGRAM" : "./" + Program));
  return Out;
}

static int run(const Args &A) {
  const std::string Output = A.text("--output");
  std::vector<std::string> Inputs;
  for (const char *Option :
       {"--facts", "--base", "--record", "--plan", "--machine"})
    if (A.has(Option))
      Inputs.push_back(A.text(Option));
  refuseInput(Output, Inputs);
  if (!A.has("--json") || A.has("--output"))
    refuseForeign(Output);
  Work W;
  readInputs(A, W);
  const std::string Amounts = A.text("--amounts");
  if (Amounts != "none")
    W.What.Amounts =
        A.has("--amounts") ? splitList(Amounts, ',') : usualAmounts();
  for (const std::string &X : W.What.Amounts)
    if (MaybeError E = checkFastSize(X))
      fail("--amounts: " + E->Message);
  if (A.has("--record"))
    gatherWithRecord(A, W);
  else
    W.Made = gatherPredicted(W.In, W.M, W.What);
  if (W.Given && !placeAlike(*W.Given, W.Made->P, W.Made->Pr))
    fail("'" + A.text("--plan") +
         "' places data otherwise than what it was made from says now (edited, "
         "or made by another version of evenkeel); make the plan again");
  ReportInput &In = W.Made->Input;
  if (!A.Command.empty())
    In.Program = shownWords(A.Command);
  if (In.Program.compare(0, 2, "./") == 0)
    In.Program.erase(0, 2);
  In.Base = shownWords(splitList(In.Base, ' '));
  const char *Root = std::getenv("EVENKEEL_ROOT");
  In.SourcesRoot = Root && *Root ? Root : ".";
  In.Made = madeBy(A);
  In.Next = nextCommands(W, A, In.Program);
  const ReportData D = reportData(In);
  const Headlines Says(In, D);
  if (A.has("--json")) {
    std::printf("%s\n", reportJson(In, D, Says).dump(1).c_str());
    if (!A.has("--output"))
      return 0;
  }
  writeReport(In, Output);
  if (!A.has("--json"))
    std::printf("%s\n%s\nnext: open %s in a browser\n",
                plainText(Says.gain()).c_str(),
                plainText(Says.objects()).c_str(), Output.c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &reportCommand() {
  static const Subcommand C = {
      "report",
      "What does a plan gain, and why, as one page with pictures?",
      "report (--plan FILE | --facts F --base B --machine M --fast S [--for "
      "..]) [--record TARGET.ekdb] [-o report.html] [-- CMD...]",
      "evenkeel report --facts facts.json --base base.ekdb --machine "
      "optane-6252n \\\n  --fast 25% -o report.html -- ./solver 1000 10",
      {{"--plan", nullptr, "FILE",
        "the plan to show: what plan wrote; it has all that is needed"},
       {"--facts", nullptr, "FILE", "instead of --plan: what analyze wrote"},
       {"--base", nullptr, "FILE", "with --facts: what record wrote"},
       {"--machine", nullptr, "M",
        "with --facts: the machine to plan for, as for plan"},
       {"--fast", nullptr, "SHARE",
        "with --facts: fast memory, a share of the peak of the program's data "
        "(25%), or a size (16GiB)"},
       {"--for", nullptr, "NAME=VALUE",
        "with --facts: a size of the input, as for plan; repeatable"},
       {"--threads", nullptr, "N",
        "with --facts: number of threads (default: as in the base run)"},
       {"--record", nullptr, "FILE",
        "a record of the whole target (record --misses --role target): times "
        "are then replayed, not predicted, and set beside the prediction"},
       {"--allow-other-phases", nullptr, nullptr,
        "with --record: accept a base run that has another number of phases, "
        "or of tasks in them, than the recorded run"},
       {"--amounts", nullptr, "A,B,..",
        "amounts of fast memory to compare (default: ten shares of the peak); "
        "none leaves this view out"},
       {"--output", "-o", "FILE", "page to write", "report.html"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
