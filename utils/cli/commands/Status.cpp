//===- Status.cpp - evenkeel status ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the workspace of a program has, from which build and for which
// inputs, and whether the program or its sources have changed since.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/machines/Detect.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/StripNotes.h"
#include "cli/workspace/SeenInputs.h"
#include "cli/workspace/Workspace.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

/// Empty, or one line: why what the workspace has is not of the program.
static std::string staleness(const BuiltProgram &Built, const Workspace &W) {
  if (W.build() != Built.Build)
    return "of another build of the program: nothing of it is used";
  if (const std::vector<std::string> Edited = editedFiles(Built);
      !Edited.empty())
    return "'" + shownPath(Edited[0]) + "'" +
           (Edited.size() > 1 ? " and " + std::to_string(Edited.size() - 1) +
                                    " more files were"
                              : " was") +
           " edited since the program was built";
  return "";
}

static std::string fastText(const KnownInput &I) {
  return I.Fast.empty() ? "all" : I.Fast;
}

/// Several commands, a line each, as one line.
static std::string onOneLine(const std::string &Commands) {
  std::string Out;
  for (const std::string &C : splitList(Commands, '\n'))
    Out += (Out.empty() ? "" : ", ") + C;
  return Out;
}

static nlohmann::json seenJson(const std::vector<SeenSummary> &Seen) {
  nlohmann::json Out = nlohmann::json::array();
  for (const SeenSummary &S : Seen)
    Out.push_back({{"command", S.Command},
                   {"runs", S.Runs},
                   {"seconds", S.Seconds},
                   {"not_used", S.NotUsed}});
  return Out;
}

static std::string seenText(const std::vector<SeenSummary> &Seen) {
  if (Seen.empty())
    return "";
  Table T({"SEEN IN RUNS OF", ">RUNS", ">LAST TOOK", ""});
  for (const SeenSummary &S : Seen)
    T.row({S.Command, std::to_string(S.Runs), secondsText(S.Seconds),
           S.NotUsed.empty() ? "" : "not used: " + S.NotUsed});
  return T.str();
}

static int run(const Args &A) {
  if (A.Positional.size() != 1)
    fail("name one program, as in: evenkeel status ./solver");
  std::error_code E;
  const std::string Program = fs::is_regular_file(A.Positional[0], E)
                                  ? A.Positional[0]
                                  : findProgram(A.Positional[0]);
  if (Program.empty())
    fail("no program '" + A.Positional[0] + "'");
  refuseStrippedFile(Program);
  const std::optional<BuiltProgram> Built = readBuiltProgram(Program);
  if (!Built)
    fail("'" + A.Positional[0] +
         "' was not built by evenkeel-cc, so nothing is kept for it");
  const Workspace W(Program, A.text("--workspace"));
  size_t Units = 0;
  for (const BuiltFile &F : Built->Files)
    Units += F.Units.size();
  const std::string Stale = W.build().empty() ? "" : staleness(*Built, W);
  std::vector<std::pair<std::string, KnownInput>> Inputs(W.inputs().begin(),
                                                         W.inputs().end());
  std::sort(Inputs.begin(), Inputs.end(), [](const auto &X, const auto &Y) {
    return X.second.Number > Y.second.Number;
  });
  const std::vector<SeenSummary> Seen = seenSummaries(W, Program, Built->Build);
  if (A.has("--json")) {
    nlohmann::json J = {{"schema", "evenkeel.status/1"},
                        {"build", Built->Build},
                        {"units", Units},
                        {"known_build", W.build()},
                        {"stale", Stale},
                        {"unanswered", W.unanswered()},
                        {"seen", seenJson(Seen)},
                        {"inputs", nlohmann::json::array()}};
    for (const auto &[Id, I] : Inputs)
      J["inputs"].push_back({{"command", I.Command},
                             {"machine", I.Machine},
                             {"fast", fastText(I)},
                             {"base", I.Base},
                             {"answer", I.Answer},
                             {"plan", shownPath(W.plan(Id))}});
    printJson(J);
    return 0;
  }
  std::printf("%s: build %s, %zu %s\n", A.Positional[0].c_str(),
              Built->Build.c_str(), Units, Units == 1 ? "unit" : "units");
  if (W.build().empty()) {
    std::printf("nothing is known of it\nnext: %s -- %s ARGS\n",
                tuneCommandHere().c_str(), A.Positional[0].c_str());
    return 0;
  }
  std::printf("workspace: %s\n", shownPath(W.folder()).c_str());
  if (!Stale.empty())
    std::printf("stale: %s\n", Stale.c_str());
  Table T({"COMMAND", "MACHINE", ">FAST", "PLANNED FROM", "ANSWER"});
  for (const auto &[Id, I] : Inputs)
    T.row({I.Command, shownPath(I.Machine), fastText(I),
           I.Base.empty() ? "its beginning" : onOneLine(I.Base), I.Answer});
  if (!Inputs.empty())
    std::fputs(T.str().c_str(), stdout);
  std::fputs(seenText(Seen).c_str(), stdout);
  if (const size_t N = W.unanswered())
    std::printf("unanswered: %zu %s that tune began and did not finish "
                "(interrupted, failed, or still running)\n",
                N, N == 1 ? "input" : "inputs");
  std::printf("next: evenkeel %s -- %s\n",
              Stale.empty() && !Inputs.empty() ? "run" : "tune",
              Inputs.empty() ? (A.Positional[0] + " ARGS").c_str()
                             : Inputs[0].second.Command.c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &statusCommand() {
  static const Subcommand C = {
      "status",
      "What is known of this program, and what of it is out of date?",
      "status PROGRAM",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\nevenkeel status ./solver",
      {{"--workspace", nullptr, "DIR",
        "where what is known is kept (default: EVENKEEL_WORKSPACE, or "
        ".evenkeel beside the program)"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
