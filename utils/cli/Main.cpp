//===- Main.cpp - the evenkeel command ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the table of subcommands, --help and --version, and the table as JSON,
// from which manual pages and completion are made.
// Not here: what the subcommands do; one file each.
//===----------------------------------------------------------------------===//
#include "EvenkeelRevision.h"
#include "cli/common/Cli.h"
#include "cli/common/Ending.h"
#include "format/Nearest.h"
#include "tuning/Tuning.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

using namespace evenkeel::cli;

namespace {
struct Group {
  const char *Title;
  std::vector<const Subcommand *> Commands;
};
} // namespace

static std::vector<Group> groups() {
  return {
      {"every day",
       {&tuneCommand(), &runCommand(), &reportCommand(), &showCommand(),
        &statusCommand(), &doctorCommand()}},
      {"step by step",
       {&analyzeCommand(), &recordCommand(), &probeCommand(), &planCommand(),
        &rewriteCommand(), &stripCommand(), &touchesCommand(), &rowsCommand()}},
      {"compare policies, machines and amounts of memory",
       {&simulateCommand(), &benchCommand(), &whatifCommand(),
        &machineCommand()}},
      {"MPI programs whose ranks wait for each other", {&ranksCommand()}},
      {"with ecoHMEM, Extrae and FlexMalloc",
       {&importCommand(), &exportCommand(), &adviseCommand()}}};
}

/// Options that every subcommand has.
static std::vector<Option> withCommon(const Subcommand &C) {
  std::vector<Option> All = C.Options;
  All.push_back({"--json", nullptr, nullptr,
                 "print the complete answer as one JSON document"});
  All.push_back({"--help", "-h", nullptr, "print this help"});
  return All;
}

static void printHelp() {
  std::puts("evenkeel - places data in fast and slow memory so that all tasks "
            "finish soonest\n\nusage: evenkeel COMMAND [OPTION]...\n");
  for (const Group &G : groups()) {
    std::printf("%s:\n", G.Title);
    for (const Subcommand *C : G.Commands)
      std::printf("  %-9s %s\n", C->Name, C->Question);
    std::puts("");
  }
  std::puts("evenkeel COMMAND --help shows an example and all options.\n"
            "evenkeel --version shows the version.\n"
            "evenkeel-cc and evenkeel-c++ build programs; see evenkeel-cc "
            "--help.");
}

/// Breaks \p Text into lines from column \p Indent to column 79; further lines
/// are indented likewise.
static std::string wrapped(const std::string &Text, size_t Indent) {
  constexpr size_t Last = 79;
  std::string Out;
  size_t Column = Indent;
  for (const std::string &Word : splitList(Text, ' ')) {
    if (Column > Indent && Column + 1 + Word.size() > Last) {
      Out += "\n" + std::string(Indent, ' ');
      Column = Indent;
    } else if (Column > Indent) {
      Out += " ";
      ++Column;
    }
    Out += Word;
    Column += Word.size();
  }
  return Out;
}

static void printHelp(const Subcommand &C, const std::vector<Option> &Options) {
  constexpr size_t Left = 24; // width of the options' column
  std::string Example = C.Example;
  for (size_t At = 0; (At = Example.find('\n', At)) != std::string::npos;)
    Example.replace(At, 1, "\n  "), At += 3;
  std::printf("%s\n\nusage: evenkeel %s\n\nexample:\n  %s\n\noptions:\n",
              C.Question, wrapped(C.Usage, 16).c_str(), Example.c_str());
  for (const Option &O : Options) {
    std::string Name = O.Alias ? std::string(O.Alias) + ", " : "";
    Name += O.Name;
    if (O.Value)
      Name += std::string(" ") + O.Value;
    std::string Help = O.Help;
    if (O.Default)
      Help += std::string(" (default ") + O.Default + ")";
    Name = "  " + Name;
    Name += Name.size() + 1 < Left ? std::string(Left - Name.size(), ' ')
                                   : "\n" + std::string(Left, ' ');
    std::printf("%s%s\n", Name.c_str(), wrapped(Help, Left).c_str());
  }
}

/// Applies EVENKEEL_TUNING to the figures and rules of profiles/tuning.def.
static void takeTuning() {
  const char *Text = std::getenv("EVENKEEL_TUNING");
  if (!Text || !*Text)
    return;
  if (evenkeel::MaybeError E = evenkeel::moveTuning(Text))
    fail("EVENKEEL_TUNING: " + E->Message);
  std::fprintf(stderr, "evenkeel: figures are moved: %s\n",
               evenkeel::movedTuning().c_str());
}

/// Prints the table of figures and rules for utils/ablate.
static void printTuning() {
  nlohmann::json Rows = nlohmann::json::array();
  for (const evenkeel::TuningEntry &E : evenkeel::tuningEntries())
    Rows.push_back({{"name", E.Name},
                    {"rule", E.IsRule},
                    {"oracle", E.OfOracle},
                    {"value", E.Value},
                    {"least", E.Least},
                    {"most", E.Most},
                    {"unit", E.Unit},
                    {"what", E.What},
                    {"source", E.Source}});
  printJson({{"schema", "evenkeel.tuning/1"}, {"entries", std::move(Rows)}});
}

/// Prints all commands with their options, for utils/lib/option_table.py.
static void printOptions() {
  nlohmann::json Groups = nlohmann::json::array();
  const auto OrNull = [](const char *Text) {
    return Text ? nlohmann::json(Text) : nlohmann::json();
  };
  for (const Group &G : groups()) {
    nlohmann::json Commands = nlohmann::json::array();
    for (const Subcommand *C : G.Commands) {
      nlohmann::json Options = nlohmann::json::array();
      for (const Option &O : withCommon(*C))
        Options.push_back({{"name", O.Name},
                           {"alias", OrNull(O.Alias)},
                           {"value", OrNull(O.Value)},
                           {"help", O.Help},
                           {"default", OrNull(O.Default)}});
      const char *const Takes[] = {"none", "names", "program"};
      Commands.push_back({{"name", C->Name},
                          {"question", C->Question},
                          {"usage", C->Usage},
                          {"example", C->Example},
                          {"takes", Takes[C->Takes]},
                          {"options", std::move(Options)}});
    }
    Groups.push_back({{"title", G.Title}, {"commands", std::move(Commands)}});
  }
  printJson({{"schema", "evenkeel.options/1"},
             {"version", EVENKEEL_VERSION},
             {"groups", std::move(Groups)}});
}

static int runMain(int Argc, char **Argv) {
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  takeTuning();
  if (Words.empty())
    fail("no command; see evenkeel --help");
  if (Words[0] == "--help" || Words[0] == "-h" || Words[0] == "help") {
    printHelp();
    return 0;
  }
  if (Words[0] == "--version") {
    if (Words.size() > 1 && Words[1] == "--json")
      printJson({{"schema", "evenkeel.version/1"},
                 {"version", EVENKEEL_VERSION},
                 {"revision", EVENKEEL_REVISION},
                 {"llvm", EVENKEEL_LLVM_VERSION}});
    else
      std::printf("evenkeel %s (revision %s, LLVM %s)\n", EVENKEEL_VERSION,
                  EVENKEEL_REVISION,
                  *EVENKEEL_LLVM_VERSION ? EVENKEEL_LLVM_VERSION : "none");
    return 0;
  }
  if (Words[0] == "--tuning") {
    printTuning();
    return 0;
  }
  if (Words[0] == "--options") {
    printOptions();
    return 0;
  }
  for (const Group &G : groups())
    for (const Subcommand *C : G.Commands) {
      if (Words[0] != C->Name)
        continue;
      std::vector<Option> Options = withCommon(*C);
      Args A = parseArgs(*C, {Words.begin() + 1, Words.end()}, Options);
      if (A.has("--help")) {
        printHelp(*C, Options);
        return 0;
      }
      return C->Run(A);
    }
  std::string Nearest;
  size_t Best = 3; // further names are other words
  for (const Group &G : groups())
    for (const Subcommand *C : G.Commands)
      if (const size_t D = evenkeel::editDistance(Words[0], C->Name);
          D < Best) {
        Best = D;
        Nearest = C->Name;
      }
  fail("unknown command '" + Words[0] + "'; " +
       (Nearest.empty() ? "" : "did you mean " + Nearest + "? ") +
       "see evenkeel --help");
}

/// \p Text as one line without characters that control a terminal.
static std::string printable(const std::string &Text) {
  std::string Out;
  for (const char C : Text)
    if (const unsigned Code = static_cast<unsigned char>(C);
        Code < 0x20 || Code == 0x7f) {
      char Escaped[8];
      std::snprintf(Escaped, sizeof Escaped, "\\x%02x", Code);
      Out += C == '\n' ? "\\n" : C == '\t' ? "\\t" : Escaped;
    } else {
      Out += C;
    }
  return Out;
}

/// Runs the command, prints errors, and returns the exit status.
static int runAndSay(int Argc, char **Argv) {
  try {
    const int Status = runMain(Argc, Argv);
    std::fflush(stdout);
    return Status;
  } catch (const Failure &F) {
    std::fflush(stdout);
    std::fprintf(stderr, "evenkeel: error: %s\n", printable(F.Line).c_str());
  } catch (const std::exception &E) {
    // Out of memory and the like: also one line and status 2.
    std::fprintf(stderr, "evenkeel: error: %s\n", E.what());
  }
  return 2;
}

int main(int Argc, char **Argv) {
  watchSignals();
  const int Status = runAndSay(Argc, Argv);
  waitWhileEnding();
  return Status;
}
