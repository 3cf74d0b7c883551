//===- Tune.cpp - evenkeel tune -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the way from a program that evenkeel-cc built to a plan: facts, the
// recording twin, a record of the beginning of the run (or, with --base, of
// another run), and the plan; what is there already and belongs to this build
// of the program is used again.
// Makes: these files, in the workspace; the answer, in at most fifteen lines.
// Not here: how each of them is made.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/machines/Detect.h"
#include "cli/planning/Planned.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/CompileDb.h"
#include "cli/programs/Launched.h"
#include "cli/programs/Process.h"
#include "cli/programs/StripNotes.h"
#include "cli/programs/Twin.h"
#include "cli/tables/PlanAnswer.h"
#include "cli/tables/PlanTables.h"
#include "cli/workspace/RankWaits.h"
#include "cli/workspace/Tuned.h"
#include "cli/workspace/Workspace.h"
#include "format/File.h"
#include "predict/symbols/Given.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

namespace {
/// What is asked for.
struct Question {
  std::vector<std::string> Command;
  size_t Word = 0; // of the program
  std::string Program;
  BuiltProgram Built;
  std::string Input;  // see commandId
  std::string Edited; // a file that is not as it was built, or ""
  bool Quiet = false;

  void say(const std::string &Line) const {
    if (!Quiet)
      std::fprintf(stderr, "evenkeel: %s\n", Line.c_str());
  }
};
} // namespace

/// The last line of \p Text that is not of evenkeel record, which wrote
/// \p Profile.
static std::string lastWords(const std::string &Text,
                             const std::string &Profile) {
  std::string Last;
  for (const std::string &Line : splitList(Text, '\n'))
    if (!Line.empty() && Line.rfind("evenkeel: ", 0) != 0 &&
        Line.rfind(Profile, 0) != 0)
      Last = Line;
  return Last;
}

/// Ends as another evenkeel command did, which wrote \p Said.
[[noreturn]] static void failAs(const std::string &Command, int Status,
                                const std::string &Said) {
  const std::string Mark = "evenkeel: error: ";
  if (const size_t At = Said.rfind(Mark); At != std::string::npos) {
    const size_t From = At + Mark.size();
    fail(Said.substr(From, Said.find('\n', From) - From));
  }
  fail("'evenkeel " + Command + "' ended with status " +
       std::to_string(Status) + ": " + firstError(Said));
}

/// Runs another evenkeel command; its error becomes ours.
static void runOwn(std::vector<std::string> Words) {
  Words.insert(Words.begin(), siblingProgram("evenkeel"));
  Job J;
  J.Argv = std::move(Words);
  if (const JobResult R = runJob(J); R.Status != 0)
    failAs(J.Argv[1], R.Status, R.Err);
}

/// Runs the command \p Words, which records \p Command to \p Profile; what both
/// print goes to \p Output. A program that failed after it was recorded is good
/// enough: Q says so.
static void runRecord(const Question &Q, std::vector<std::string> Words,
                      const std::string &Command, const std::string &Profile,
                      const std::string &Output) {
  Words.insert(Words.begin(), {siblingProgram("evenkeel"), "record", "--json"});
  Job J;
  J.Argv = std::move(Words);
  J.OutputFile = Output;
  const JobResult R = runJob(J);
  if (R.Status == 0)
    return;
  const std::string Said = readTextFile(Output);
  const auto Its = nlohmann::json::parse(R.Out, nullptr, false);
  if (!Its.is_object()) // not the program failed, but its recording
    failAs(J.Argv[1], R.Status, Said);
  const int Status = Its.at("program_status");
  const std::string Last = lastWords(Said, Profile);
  const std::string How = (Status > 128 ? std::string(strsignal(Status - 128))
                                        : "status " + std::to_string(Status)) +
                          (Last.empty() ? "" : ": \"" + Last + "\"");
  if (Its.at("recorded") && Its.at("instances") > 0) {
    Q.say("'" + Command + "' was recorded, but ended with " + How);
    return;
  }
  std::error_code E;
  fs::remove(Profile, E); // of a run that did nothing
  fail("'" + Command + "' failed while it was recorded (" + How +
       "); try it alone; all that it printed is in '" + shownPath(Output) +
       "'");
}

static Question questionOf(const Args &A) {
  if (A.Command.empty())
    fail("no program; write it after --, as in: evenkeel tune -- ./solver "
         "input");
  if (launchedRanks() > 1)
    fail("tune stands in front of the launcher; write: evenkeel tune ... -- "
         "mpirun -n " +
         std::to_string(launchedRanks()) + " " + A.Command[0] + " ...");
  if (findProgram(A.Command[0]).empty())
    fail("no program '" + A.Command[0] + "'");
  std::string Last = A.Command[0]; // program of the command
  for (const std::string &Name : A.Command) {
    const std::string Path = findProgram(Name);
    if (Path.empty() || !isElf(readTextFile(Path)))
      continue;
    Last = Name;
    if (isRecording(readTextFile(Path)))
      fail("'" + Name +
           "' was built with --record; tune needs the program that "
           "evenkeel-cc builds without it, and makes the other by itself");
  }
  refuseStripped(A.Command);
  std::optional<BuiltCommand> Its = builtIn(A.Command);
  if (!Its)
    fail("'" + Last +
         "' was not built by evenkeel-cc; build it with CC=evenkeel-cc "
         "CXX=evenkeel-c++ (cmake -DCMAKE_C_COMPILER=evenkeel-cc), and ask "
         "again");
  const std::vector<std::string> Edited = editedFiles(Its->Built);
  return {A.Command,
          Its->Word,
          Its->Program,
          std::move(Its->Built),
          commandId(A.Command, Its->Word),
          Edited.empty() ? "" : Edited[0],
          A.has("--json")};
}

/// The machine file of this computer, which is measured once.
static std::string thisComputer(const Question &Q, const Workspace &W) {
  const Detected D = detectMemory();
  if (usableTiers(D) < 2)
    fail("this computer has one kind of memory, so there is nothing to place "
         "on it; name the machine that you plan for: --machine ddr5-cxl "
         "(evenkeel machine list shows all)");
  std::error_code E;
  if (!fs::exists(W.machine(), E)) {
    Q.say("measuring the memory of this computer, once (about a minute)");
    runOwn({"machine", "calibrate", "--output", W.machine()});
  }
  return W.machine();
}

/// See KnownInput. What the program reads from standard input, or from files
/// that its command does not name, nobody knows.
static std::string aroundOf(const std::vector<std::string> &Command) {
  const char *Threads = std::getenv("OMP_NUM_THREADS");
  std::error_code E;
  std::string Out = "threads " + std::string(Threads ? Threads : "-") +
                    "\nfolder " + fs::current_path(E).string();
  for (size_t I = 1; I < Command.size(); ++I)
    if (struct stat F; stat(Command[I].c_str(), &F) == 0 && S_ISREG(F.st_mode))
      Out += "\nfile " + std::to_string(F.st_size) + " " +
             std::to_string(F.st_mtim.tv_sec) + "." +
             std::to_string(F.st_mtim.tv_nsec);
  return Out;
}

/// \p Texts, a line each.
static std::string joined(const std::vector<std::string> &Texts) {
  std::string Out;
  for (const std::string &C : Texts)
    Out += (Out.empty() ? "" : "\n") + C;
  return Out;
}

/// Fails for base commands and values that no record is needed to refuse.
static void refuseBefore(const Args &A, const KnownInput &S) {
  std::set<std::string> Bases;
  for (const std::string &Text : splitList(S.Base, '\n')) {
    baseCommand(Text);
    if (!Bases.insert(Text).second)
      fail("--base '" + Text + "' is given twice");
  }
  for (const std::string &Text : A.all("--for"))
    orFail(parseGiven(Text));
  if (A.has("--for") && S.Base.empty())
    fail("--for belongs to --base: without it the run itself is recorded, and "
         "shows its sizes");
}

/// What --machine and --fast say, or else what was asked for last.
static KnownInput settings(const Args &A, const Question &Q,
                           const Workspace &W) {
  KnownInput S;
  S.Command = commandText(Q.Command);
  S.Around = aroundOf(Q.Command);
  const std::string Like = W.inputs().count(Q.Input) ? Q.Input : W.last();
  const KnownInput *Before = Like.empty() ? nullptr : &W.inputs().at(Like);
  S.Machine = A.has("--machine") ? A.text("--machine")
              : Before           ? Before->Machine
                                 : thisComputer(Q, W);
  std::error_code E;
  if (fs::is_regular_file(S.Machine, E))
    S.Machine = fs::absolute(S.Machine, E).lexically_normal().string();
  S.Fast = A.has("--fast")                          ? A.text("--fast")
           : Before && Before->Machine == S.Machine ? Before->Fast
                                                    : "";
  if (S.Fast == "all")
    S.Fast.clear();
  S.Base = A.has("--base")             ? joined(A.all("--base"))
           : W.inputs().count(Q.Input) ? W.inputs().at(Q.Input).Base
                                       : "";
  if (S.Base == "none")
    S.Base.clear();
  // What was given for the target holds for each plan from other inputs.
  if (!S.Base.empty())
    S.For = A.has("--for")              ? joined(A.all("--for"))
            : W.inputs().count(Q.Input) ? W.inputs().at(Q.Input).For
                                        : "";
  refuseBefore(A, S);
  return S;
}

/// Records the command \p Command, under the name \p Id, for the plan: all of
/// it with smaller input, or the beginning of the run itself (\p Beginning).
static void recordOne(const Question &Q, const KnownInput &S,
                      const Workspace &W, bool Again,
                      const std::vector<std::string> &Command,
                      const std::string &Id, bool Beginning) {
  const std::string Profile = W.probe(Id);
  std::error_code E;
  if (!Again && readProfile(Profile)) {
    Q.say("using the record that is there; --again makes it anew, where input "
          "that the command does not name has changed");
    return;
  }
  fs::remove(Profile, E);
  std::vector<std::string> Words = {"--machine",
                                    S.Machine,
                                    "--workspace",
                                    fs::path(W.folder()).parent_path().string(),
                                    "-o",
                                    Profile,
                                    Beginning ? "--sampled" : "--misses"};
  if (Beginning)
    Q.say("recording the beginning of the run, at about half its usual speed, "
          "for a minute at most");
  else
    Q.say("recording '" + commandText(Command) +
          "' to its end, which takes up to 30 times its usual time");
  const char *Mode = Beginning ? "sampled" : "misses";
  makeTwin(Q.Built, Mode, W.twinFolder(Mode));
  Words.push_back("--");
  Words.insert(Words.end(), Command.begin(), Command.end());
  runRecord(Q, std::move(Words), commandText(Command), Profile, W.output(Id));
}

/// Records what the plan is made from.
static void recordBases(const Question &Q, const KnownInput &S, Workspace &W,
                        bool Again) {
  if (S.Base.empty())
    recordOne(Q, S, W, Again, Q.Command, Q.Input, true);
  for (const std::string &Text : splitList(S.Base, '\n')) {
    const BaseCommand Base = baseCommand(Text);
    if (!Base.Program || Base.Program->Built.Build != Q.Built.Build)
      fail("--base '" + Text + "' does not start '" + Q.Command[Q.Word] +
           "'; it is the same program with a smaller input");
    W.openInput(Base.Input);
    recordOne(Q, S, W, Again, Base.Words, Base.Input, false);
  }
}

static void print(const Args &A, const Question &Q, const KnownInput &S,
                  const Workspace &W, const Planned &X) {
  const std::vector<std::string> Unseen = inputsWithoutUnits(Q.Built);
  const std::string Next =
      (A.has("--workspace")
           ? "--workspace " + commandText({A.text("--workspace")}) + " "
           : std::string()) +
      "-- " + S.Command;
  const RankWaits Waits = rankWaits(Q.Command, A.text("--workspace"));
  if (A.has("--json")) {
    nlohmann::json J = planAnswerJson(X);
    J["command"] = S.Command;
    J["plan"] = shownPath(W.plan(Q.Input));
    J["next"] = "evenkeel run " + Next;
    J["not_compiled"] = Unseen;
    if (Waits.Its)
      J["imbalance"] = imbalanceToJson(*Waits.Its);
    printJson(J);
    return;
  }
  std::printf("%s on %s, with %s of fast memory for %s of data\n",
              S.Command.c_str(), X.P.Machine.c_str(),
              bytesText(double(X.P.FastBytes)).c_str(),
              bytesText(X.Pr.PeakBytes).c_str());
  std::fputs(planAnswer(X, A.has("--verbose"), sourcesRoot(Q.Built)).c_str(),
             stdout);
  std::string Names;
  constexpr size_t Most = 3;
  for (size_t I = 0; I < std::min(Most, Unseen.size()); ++I)
    Names += (I ? ", " : "") + shownPath(Unseen[I]);
  if (Unseen.size() > Most)
    Names += " and " + std::to_string(Unseen.size() - Most) + " more";
  if (!Unseen.empty())
    std::printf("not seen: what %s does, which evenkeel-cc did not compile\n",
                Names.c_str());
  if (const std::string Text = Waits.text(X.In.F); !Text.empty())
    std::printf("ranks: %s\n", Text.c_str());
  // From another input, the notes say what the answer hangs on.
  size_t Shown = A.has("--verbose") ? X.P.Notes.size() : 0;
  if (!S.Base.empty())
    Shown = std::max<size_t>(Shown, std::min<size_t>(2, X.P.Notes.size()));
  for (size_t I = 0; I < Shown; ++I)
    std::printf("note: %s\n", X.P.Notes[I].c_str());
  if (const size_t Left = X.P.Notes.size() - Shown)
    std::printf("%zu %s on how sure this is: -v shows %s\n", Left,
                Left == 1 ? "note" : "notes", Left == 1 ? "it" : "them");
  std::printf("next: evenkeel run %s\n      evenkeel report %s\n", Next.c_str(),
              Next.c_str());
}

/// Answers \p Q with what \p W has, and with what is made for it.
static int answer(const Args &A, const Question &Q, Workspace W) {
  KnownInput S = settings(A, Q, W);
  orFail(readMachineToPlan(S.Machine));
  if (!S.Fast.empty())
    orFail(checkFastSize(S.Fast));
  const bool Known =
      W.inputs().count(Q.Input) != 0 && W.build() == Q.Built.Build;
  // A record is of so many ranks and threads, and with a machine's caches.
  const KnownInput *Before = Known ? &W.inputs().at(Q.Input) : nullptr;
  const bool Again = A.has("--again") || !Before ||
                     Before->Machine != S.Machine ||
                     Before->Around != S.Around || Before->Command != S.Command;
  W.open(Q.Built.Build);
  W.openInput(Q.Input);
  std::error_code E;
  if (!readFacts(W.facts())) { // not there, or damaged
    fs::remove(W.facts(), E);
    Q.say("analyzing the sources of '" + Q.Command[Q.Word] + "'");
    runOwn({"analyze", Q.Program, "-o", W.facts()});
  }
  recordBases(Q, S, W, Again);
  const Args P = tunedOptions(W, Q.Input, S, Q.Command);
  Q.say("planning");
  Planned X = makePlanned(P);
  for (std::string &Doubt : doubts(X.In, X.Pr, X.M, S.Machine))
    X.P.Notes.push_back(std::move(Doubt));
  fs::remove(W.plan(Q.Input), E); // ours, whatever it holds
  writePlanned(P, X, W.plan(Q.Input));
  S.Answer = gainLine(X);
  W.remember(Q.Input, S);
  if (!Q.Edited.empty())
    Q.say("'" + shownPath(Q.Edited) +
          "' is not as it was when the program was built; the answer is for "
          "the program as it is");
  print(A, Q, S, W, X);
  return 0;
}

static int run(const Args &A) {
  const Question Q = questionOf(A);
  return answer(A, Q, Workspace(Q.Program, A.text("--workspace")));
}

namespace evenkeel::cli {
const Subcommand &tuneCommand() {
  static const Subcommand C = {
      "tune",
      "What can be gained for this run, and what has to be done?",
      "tune [--machine M] [--fast 25%|SIZE|all] [--base 'CMD'] -- CMD...",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\n"
      "evenkeel tune --machine ddr5-cxl --fast 25% -- ./solver 1000 10\n"
      "evenkeel run -- ./solver 1000 10",
      {{"--machine", nullptr, "M",
        "the machine you plan for: a name that 'evenkeel machine list' shows, "
        "or a machine file (default: as last time, or else this computer)"},
       {"--fast", nullptr, "SHARE|all",
        "fast memory to use: a share of the program's data (25%), or a size "
        "(16GiB), or all that the machine has (default: as last time, or else "
        "all)"},
       {"--base", nullptr, "'CMD'",
        "plan from a complete run of this command, with a smaller input, "
        "because the run itself cannot be started beforehand; repeatable: "
        "several inputs show how quantities grow; none: as without it "
        "(default: as last time)"},
       {"--for", nullptr, "NAME=VALUE",
        "with --base: a size of the input that the command does not tell, as "
        "for plan; repeatable"},
       {"--again", nullptr, nullptr,
        "record again, even if there is a record of this input"},
       {"--workspace", nullptr, "DIR",
        "where to keep what is made (default: EVENKEEL_WORKSPACE, or .evenkeel "
        "beside the program)"},
       {"--verbose", "-v", nullptr, "show all objects and notes"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
