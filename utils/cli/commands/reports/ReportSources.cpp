//===- ReportSources.cpp - what a report is made from ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReportSources.h.
//===----------------------------------------------------------------------===//
#include "ReportSources.h"
#include "cli/common/Siblings.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "cli/programs/StripNotes.h"
#include "cli/replay/ReadRun.h"
#include "cli/workspace/Workspace.h"
#include "format/Replan.h"
#include "format/plan/PlanIndex.h"
#include <cstdlib>
#include <filesystem>

namespace evenkeel::cli {

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

/// The command line.
static std::string madeBy(const Args &A, const std::string &Name,
                          const std::vector<Option> &Options) {
  std::vector<std::string> Words{"evenkeel", Name};
  for (const Option &O : Options)
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
  for (const auto &[Name, Bytes] : D.Sizes) {
    In.SeenSizes.push_back(instanceNamed(Name));
    In.SeenSizes.back().Bytes = Bytes;
    In.SeenSizes.back().AllocPhase = EK_NO_TASK;
  }
  In.Seen = D.Seen;
  In.Fitted = D.Fitted;
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

/// The plan that tune made for the command after "--".
static void findPlan(const Args &A, const std::string &Name, ReportWork &W) {
  if (A.Command.empty())
    fail("no plan; write evenkeel " + Name +
         " -- ./solver input for what evenkeel "
         "tune planned, or give --plan, or --facts with --base");
  refuseStripped(A.Command);
  const std::optional<BuiltCommand> Its = builtIn(A.Command);
  if (!Its)
    fail("'" + A.Command[0] +
         "' was not built by evenkeel-cc, so nothing is kept for it; give "
         "--plan, or --facts with --base");
  const Workspace Kept(Its->Program, A.text("--workspace"));
  const std::string Input = commandId(A.Command, Its->Word);
  std::error_code E;
  if (Kept.build() != Its->Built.Build ||
      !std::filesystem::exists(Kept.plan(Input), E))
    fail("nothing is planned for this command yet; ask first: evenkeel tune "
         "-- " +
         shownWords(A.Command));
  W.PlanFile = Kept.plan(Input);
  W.SourcesRoot = Its->Built.namedRoot();
  W.Tuned = Kept.report(Input);
}

/// Everything that a plan has, with the plan that follows from it now.
static void usePlan(const Args &A, ReportWork &W) {
  for (const char *Option : {"--machine", "--fast", "--base", "--for"})
    if (A.has(Option))
      fail(std::string("a plan has what ") + Option +
           " says; leave it out, or give --facts and --base instead of the "
           "plan");
  W.Given = orFail(readPlan(W.PlanFile));
  ReplanData D = orFail(readReplan(W.Given->ReplanJson, W.PlanFile));
  W.What = {D.Fast, D.Planner, D.Model, {}};
  W.X.M = D.M;
  W.X.M.Assumed = W.Given->Assumed; // its figures have no sources there
  W.X.In = inputsOf(D);
}

/// The options of plan among those of report.
static Args planOptions(const Args &A) {
  Args P;
  P.Options = &planCommand().Options;
  for (const char *Option :
       {"--facts", "--base", "--machine", "--fast", "--for", "--threads"})
    if (A.has(Option))
      P.Values[Option] = A.all(Option);
  P.Command = A.Command;
  return P;
}

/// Without a record.
static void predict(const Args &A, ReportWork &W) {
  if (!W.Given) {
    W.X = makePlanned(planOptions(A));
  } else {
    PlanRequest R;
    R.F = &W.X.In.F;
    R.Base = &W.X.In.Base;
    R.M = &W.X.M;
    R.Fast = W.What.Fast;
    R.For = W.X.In.For;
    R.KnownSizes = W.X.In.SeenSizes;
    R.Seen = W.X.In.Seen;
    R.Fitted = W.X.In.Fitted;
    R.Planner = W.What.Planner;
    R.Model = W.What.Model;
    W.X.P = orFail(makePlan(R, &W.X.Pr));
    W.X.Ahead = outlookOf(W.X.Pr, W.X.M, *orFail(makeModel(R.Model)));
  }
  W.Made = gatherPredicted(W.X, W.What);
}

/// With a record: the rest of what is read, and the replays.
static void replayRecord(const Args &A, ReportWork &W) {
  if (W.Given) {
    W.J.M = W.X.M;
    W.J.In = std::move(W.X.In);
    W.J.Amounts = {{W.What.Fast, W.Given->FastBytes}};
  } else {
    A.requireAll({"--facts", "--base", "--machine", "--fast"});
  }
  readRun(A,
          A.Command.empty() ? std::optional<CommandLine>()
                            : targetCommandLine(A.Command),
          W.J);
  if (W.J.Amounts.size() > 1)
    fail("--fast takes one amount for a report; --amounts says which others to "
         "compare");
  W.Made = gatherReplayed(W.J, W.X, W.What);
  W.Made->Input.Program = shownCommand(W.J.Record);
}

/// Whether \p Command begins with a launcher.
static bool isLaunched(const std::vector<std::string> &Command) {
  return targetCommandLine(Command).Arguments.size() < Command.size();
}

/// The commands that carry out the plan.
static std::vector<std::string> nextCommands(const ReportWork &W, const Args &A,
                                             const std::string &Program) {
  const Plan &P = W.X.P;
  const bool Launched = isLaunched(A.Command);
  const std::string Command = Launched          ? shownWords(A.Command)
                              : Program.empty() ? "PROGRAM"
                                                : "./" + Program;
  if (P.KeepsFirstTouch)
    return {};
  if (!W.Tuned.empty()) // tune keeps the plan
    return {"evenkeel run -- " + shownWords(A.Command)};
  const std::string File =
      W.PlanFile.empty() ? "plan.json" : shownWords({W.PlanFile});
  std::vector<std::string> Out;
  std::string For;
  for (const std::string &Value : A.all("--for"))
    For += " --for " + shownWords({Value});
  if (W.PlanFile.empty())
    Out.push_back("evenkeel plan --facts " + shownWords({A.text("--facts")}) +
                  " --base " + shownWords({A.text("--base")}) + " --machine " +
                  shownWords({A.text("--machine")}) + " --fast " +
                  A.text("--fast") + For + " -o " + File +
                  (Program.empty() ? "" : " -- " + Command));
  Out.push_back((P.Ranks.empty() || Launched
                     ? ""
                     : "mpirun -n " + std::to_string(P.Ranks.size()) + " ") +
                "evenkeel run --plan " + File + " -- " + Command);
  return Out;
}

std::vector<Option> reportSourceOptions() {
  return {
      {"--plan", nullptr, "FILE",
       "the plan to show: what plan wrote; it has all that is needed "
       "(default: what tune planned for the command after --)"},
      {"--facts", nullptr, "FILE", "instead of a plan: what analyze wrote"},
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
       "or of tasks in them, than the recorded run: as in the runtime, a hook "
       "ends the plan's next phase that has its id"},
      {"--workspace", nullptr, "DIR",
       "where tune keeps what it made (default: EVENKEEL_WORKSPACE, or "
       ".evenkeel beside the program)"}};
}

std::string sameSources(const Args &A, const std::string &Name) {
  return madeBy(A, Name, reportSourceOptions());
}

void findReportPlan(const Args &A, const std::string &Name, ReportWork &W) {
  readGivenPlan(A); // refuses a plan and facts together
  W.PlanFile = A.text("--plan");
  if (W.PlanFile.empty() && !A.has("--facts"))
    findPlan(A, Name, W);
}

std::vector<std::string> reportFiles(const Args &A) {
  std::vector<std::string> Out;
  for (const char *Option :
       {"--facts", "--base", "--record", "--plan", "--machine"})
    if (A.has(Option))
      Out.push_back(A.text(Option));
  return Out;
}

void readReportPlan(const Args &A, std::vector<std::string> Amounts,
                    ReportWork &W) {
  if (!W.PlanFile.empty())
    usePlan(A, W);
  else
    W.What.Fast = A.require("--fast");
  W.What.Amounts = std::move(Amounts);
  for (const std::string &X : W.What.Amounts)
    if (MaybeError E = checkFastSize(X))
      fail("--amounts: " + E->Message);
}

void gatherReport(const Args &A, const std::string &Name, ReportWork &W) {
  if (A.has("--record"))
    replayRecord(A, W);
  else
    predict(A, W);
  if (W.Given && !placeAlike(*W.Given, W.X.P, W.X.Pr))
    fail("'" + W.PlanFile +
         "' places data otherwise than what it was made from says now (edited, "
         "or made by another version of evenkeel); make the plan again");
  ReportInput &In = W.Made->Input;
  if (!A.Command.empty())
    In.Program = shownWords(A.Command);
  if (In.Program.compare(0, 2, "./") == 0)
    In.Program.erase(0, 2);
  In.Name = isLaunched(A.Command) ? targetCommandLine(A.Command).Arguments[0]
                                  : In.Program.substr(0, In.Program.find(' '));
  In.Base = shownWords(splitList(In.Base, ' '));
  const char *Root = std::getenv("EVENKEEL_ROOT");
  In.SourcesRoot = Root && *Root           ? Root
                   : W.SourcesRoot.empty() ? "."
                                           : W.SourcesRoot;
  In.Made = madeBy(A, Name, *A.Options);
  In.Next = nextCommands(W, A, In.Program);
}

} // namespace evenkeel::cli
