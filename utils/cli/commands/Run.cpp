//===- Run.cpp - evenkeel run ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to start a rewritten program with a plan, which the runtime reads
// from EVENKEEL_PLAN; or, with --stacks, a program that was not rewritten, with
// libevenkeel-preload. The exit status is that of the program.
// Not here: runs that a policy moves (touches/RunPolicy.cpp).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/machines/Detect.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "cli/programs/Preloadable.h"
#include "cli/programs/Process.h"
#include "cli/programs/StripNotes.h"
#include "cli/touches/RunPolicy.h"
#include "cli/workspace/Workspace.h"
#include "format/Stacks.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

/// The plan that `evenkeel tune` made for the command, or the last one that it
/// made for the program. Fails if there is none of this build.
static std::string plannedBefore(const Args &A) {
  refuseStripped(A.Command);
  const std::optional<BuiltCommand> Its = builtIn(A.Command);
  if (!Its)
    fail("no plan is known for '" + A.Command[0] +
         "', which evenkeel-cc did not build; name one with --plan");
  const std::string Shown = commandText(A.Command);
  const std::string &Name = A.Command[Its->Word];
  const Workspace W(Its->Program, A.text("--workspace"));
  if (W.inputs().empty())
    fail("no plan is known for '" + Name + "'; make one: " + tuneCommandHere() +
         " -- " + Shown);
  if (W.build() != Its->Built.Build)
    fail("the plans in '" + shownPath(W.folder()) +
         "' are of another build of '" + Name +
         "'; plan again: evenkeel tune -- " + Shown);
  std::string Id = commandId(A.Command, Its->Word);
  if (!W.inputs().count(Id)) {
    Id = W.last();
    std::fprintf(stderr,
                 "evenkeel: no plan was made for this input; using that for "
                 "'%s' (evenkeel tune makes one)\n",
                 W.inputs().at(Id).Command.c_str());
  }
  std::error_code E;
  if (!fs::exists(W.plan(Id), E))
    fail("'" + shownPath(W.plan(Id)) +
         "' is gone; plan again: evenkeel tune -- " + Shown);
  return W.plan(Id);
}

/// The launcher's command line with evenkeel run before its program, the word
/// \p Program: launchers hand their environment to other computers in ways of
/// their own, and command lines alike.
static std::vector<std::string> afterLauncher(const Args &A, size_t Program,
                                              const std::string &Plan) {
  std::error_code E;
  std::vector<std::string> Words(
      A.Command.begin(), A.Command.begin() + static_cast<ptrdiff_t>(Program));
  Words.insert(Words.end(), {siblingProgram("evenkeel"), "run", "--plan",
                             fs::absolute(Plan, E).string()});
  if (A.has("--provider"))
    Words.insert(Words.end(), {"--provider", A.text("--provider")});
  if (A.has("--summary"))
    Words.push_back("--summary");
  if (A.has("--workspace"))
    Words.insert(Words.end(),
                 {"--workspace", fs::absolute(A.text("--workspace"), E)});
  Words.push_back("--");
  Words.insert(Words.end(), A.Command.begin() + static_cast<ptrdiff_t>(Program),
               A.Command.end());
  return Words;
}

static void checkRewritten(const Args &A, const std::string &Program) {
  const std::string &Shown = A.Command[0];
  const std::string Bytes = readTextFile(Program);
  if (!isElf(Bytes) || isRewritten(Bytes))
    return;
  if (isRecording(Bytes))
    fail("'" + Shown +
         "' was built for recording and carries out no plan; run the program "
         "that evenkeel-cc builds without --record");
  fail("'" + Shown +
       "' was not rewritten, so a plan means nothing to it; build it with "
       "evenkeel-cc, or leave it as it is and use --stacks (evenkeel analyze "
       "--binary makes the table)");
}

/// Warns if the table has no module for the program (by name or build id). A
/// program that loads a library in the table is fine, too.
static void warnUnlessNamed(const Stacks &S, const std::string &Program,
                            const std::vector<std::string> &Command,
                            const std::string &Path) {
  const std::string &Shown = Command[0];
  const std::string Bytes = readTextFile(Program);
  if (!isElf(Bytes))
    return; // a script, or one started by a launcher
  std::string Names;
  std::error_code E;
  const std::string Own = fs::canonical(Program, E).filename().string();
  for (const StackModule &M : S.Modules) {
    if (M.Name == Own || Bytes.find(M.Name) != std::string::npos)
      return;
    // The program may follow env, a shell or a launcher.
    for (const std::string &Word : Command)
      if (fs::path(Word).filename().string() == M.Name)
        return;
    Names += (Names.empty() ? "" : ", ") + M.Name;
  }
  std::fprintf(stderr,
               "evenkeel: '%s' is not in '%s', which names %s: unless that is "
               "a copy of it, nothing is placed; make the table again with "
               "evenkeel analyze --binary %s\n",
               Shown.c_str(), Path.c_str(), Names.c_str(), Shown.c_str());
}

static void checkProvider(const std::string &Name) {
  for (const char *Known : {"numa", "memkind", "emulated", "posix"})
    if (Name == Known)
      return;
  fail("no provider '" + Name + "'; use numa, memkind, emulated or posix");
}

static void preload(const Args &A, const Plan &P, const std::string &Program,
                    Job &J) {
  std::string Path = A.text("--stacks");
  Stacks S = orFail(readStacks(Path));
  if (S.Program != P.Program)
    fail("'" + Path + "' and '" + A.text("--plan") +
         "' come from different facts; make one of them again");
  checkPreloadable(Program, A.Command[0]);
  warnUnlessNamed(S, Program, A.Command, Path);
  std::string Library = libraryFile("libevenkeel-preload.so");
  for (const StackModule &M : S.Modules)
    if (std::any_of(M.Syncs.begin(), M.Syncs.end(),
                    [](const StackSync &X) { return X.isMpi(); })) {
      Library += ":" + libraryFile("libevenkeel-pmpi.so");
      break;
    }
  J.Env.push_back({"EVENKEEL_STACKS", fs::absolute(Path).string()});
  J.Env.push_back({"LD_PRELOAD", preloadFirst(Library)});
}

/// Says so if no plan can have an effect on this computer; the first of several
/// ranks' commands, the launcher's, speaks for all.
static void warnOfOneMemory(const Args &A) {
  const char *Chosen = std::getenv("EVENKEEL_PROVIDER");
  if (A.has("--provider") || (Chosen && *Chosen) || launchedRanks() > 1 ||
      usableTiers(detectMemory()) > 1)
    return;
  std::fputs("evenkeel: this computer has one kind of memory, so the plan has "
             "no effect here\n",
             stderr);
}

static int run(const Args &A) {
  if (A.Command.empty())
    fail(
        "no program; write it after --, as in: evenkeel run -- ./solver input");
  if (A.has("--policy"))
    return runPolicy(A);
  refusePolicyOptions(A);
  std::string Program = findProgram(A.Command[0]);
  if (Program.empty())
    fail("no program '" + A.Command[0] + "'");
  const std::string PlanPath =
      A.has("--plan") ? A.text("--plan") : plannedBefore(A);
  Plan P = orFail(readPlan(PlanPath));
  warnOfOneMemory(A);
  Job J{A.Command, "", {}, false, false};
  J.Argv[0] = Program;
  // The program may change its working directory before the runtime reads the
  // plan.
  J.Env = {{"EVENKEEL_PLAN", fs::absolute(PlanPath).string()}};
  std::error_code E;
  if (A.has("--workspace")) // where the run leaves what it saw
    J.Env.push_back({"EVENKEEL_WORKSPACE",
                     fs::absolute(A.text("--workspace"), E).string()});
  const std::string Bytes = readTextFile(Program);
  std::optional<size_t> Launched;
  if (isElf(Bytes) && !isRewritten(Bytes) && !A.has("--stacks"))
    Launched = launchedProgram(A.Command, isRewritten);
  if (Launched && A.has("--json"))
    fail("'" + A.Command[0] + "' launches several programs, which write no " +
         "common answer; leave out --json, or use --summary");
  if (Launched) {
    J.Argv = afterLauncher(A, *Launched, PlanPath);
    J.Argv[0] = Program;
    J.Env.clear();
    becomeJob(J);
  }
  if (A.has("--stacks"))
    preload(A, P, Program, J);
  else
    checkRewritten(A, Program);
  if (A.has("--provider")) {
    checkProvider(A.text("--provider"));
    J.Env.push_back({"EVENKEEL_PROVIDER", A.text("--provider")});
  }
  if (A.has("--summary"))
    J.Env.push_back({"EVENKEEL_SUMMARY", "1"});
  if (!A.has("--json"))
    becomeJob(J);
  TempDir Temp;
  std::string Summary = Temp.path() + "/summary.json";
  J.Env.push_back({"EVENKEEL_SUMMARY_JSON", Summary});
  J.StdoutToStderr = true;
  JobResult R = runJob(J);
  nlohmann::json Doc = {{"schema", "evenkeel.run/1"},
                        {"program_status", R.Status},
                        {"summary", nullptr}};
  if (fs::exists(Summary, E))
    Doc["summary"] =
        nlohmann::json::parse(readTextFile(Summary), nullptr, false);
  printJson(Doc);
  return R.Status;
}

namespace evenkeel::cli {
const Subcommand &runCommand() {
  static const Subcommand C = {
      "run",
      "How does the program run when its data is placed by a plan?",
      "run [--plan plan.json] [--stacks stacks.json] [--policy NAME] "
      "[--provider P] [--summary] -- CMD...",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\nevenkeel run --plan "
      "plan.json --summary -- ./solver 1000 10",
      {{"--plan", nullptr, "FILE",
        "plan to carry out (default: the one that tune made for this command, "
        "or else its last one for this program)"},
       {"--summary", nullptr, nullptr,
        "at the end, print on stderr what was placed and moved, and what could "
        "not be done and why"},
       {"--provider", nullptr, "P",
        "who places memory: numa (the nodes of this computer), memkind, "
        "emulated (tiers that exist in the summary only) or posix (one tier) "
        "(default: the runtime chooses)"},
       {"--stacks", nullptr, "FILE",
        "for a program that was not rewritten: find its allocation sites in "
        "this table of call stacks (analyze --binary)"},
       {"--workspace", nullptr, "DIR",
        "where tune keeps its plans, and where the run leaves what it saw "
        "(default: EVENKEEL_WORKSPACE, or .evenkeel beside the program)"},
       {"--policy", nullptr, "NAME",
        "for any program, as it is: move its data while it runs by what it "
        "touches, without a plan: shambles-lru or shambles-window; with "
        "first-touch, it stays"},
       {"--initial", nullptr, "FILE",
        "with --policy: locations from evenkeel advise; blocks lie in fast "
        "memory at first if their call stack is in the first tier"},
       {"--fast", nullptr, "SIZE",
        "with --policy: fast memory for the large blocks of all processes "
        "(default: seven eighths of what is free)"},
       {"--set", nullptr, "NAME=N",
        "with --policy: its settings, as in simulate (interval_us, chunk_kib, "
        "window); may be repeated"},
       {"--overhead", nullptr, "PERCENT",
        "with --policy: how much of the program's CPU time watching and moving "
        "may cost",
        "1%"},
       {"--mechanism", nullptr, "NAME",
        "with --policy: how touches are seen, as for record --pages", "auto"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
