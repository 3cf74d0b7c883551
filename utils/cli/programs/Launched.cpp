//===- Launched.cpp - the program in a command ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launched.h.
//===----------------------------------------------------------------------===//
#include "Launched.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/ek_mpi.h"
#include "format/inputs/InputNumbers.h"
#include "format/inputs/SeenRun.h"
#include "format/inputs/ek_input.h"
#include <cstdlib>
#include <filesystem>
#include <set>

namespace evenkeel::cli {

bool isElf(const std::string &Bytes) {
  return Bytes.compare(0, 4,
                       "\x7f"
                       "ELF") == 0;
}

bool isRecording(const std::string &Bytes) {
  return Bytes.find("__ek_rec_") != std::string::npos;
}

unsigned launchedRanks() {
  constexpr long MostRanks = 1 << 24; // larger values are not a number of ranks
  for (const char *Name : {EK_RANK_COUNT_VARIABLES})
    if (const char *Text = std::getenv(Name); Text && *Text) {
      char *End = nullptr;
      const long Ranks = std::strtol(Text, &End, 10);
      if (!*End && Ranks > 0 && Ranks <= MostRanks)
        return unsigned(Ranks);
    }
  return 0;
}

bool isRewritten(const std::string &Bytes) {
  return Bytes.find("ek_abi_v1") != std::string::npos ||
         Bytes.find("ek_context_push_if") != std::string::npos;
}

std::optional<size_t>
launchedProgram(const std::vector<std::string> &Command,
                const std::function<bool(const std::string &)> &Fit) {
  for (size_t I = 1; I < Command.size(); ++I) {
    const std::string Program = findProgram(Command[I]);
    if (Program.empty())
      continue;
    const std::string Bytes = readTextFile(Program);
    if (isElf(Bytes) && Fit(Bytes))
      return I;
  }
  return std::nullopt;
}

/// What the files that arguments of \p C name show now.
static void addFiles(CommandLine &C) {
  constexpr size_t MostText = size_t(64) << 20; // longer texts are not counted
  for (size_t K = 1; K < C.Arguments.size(); ++K) {
    const std::string &Word = C.Arguments[K]; // FILE, or --in=FILE
    const size_t Equal = Word.find('=');
    InputFile F;
    if (readInputFile(Word, MostText, F) ||
        (Equal != std::string::npos &&
         readInputFile(Word.substr(Equal + 1), MostText, F)))
      C.Files[Word] = F;
  }
}

/// The names after marks in the code of a program built for recording.
static std::vector<std::string> variablesRead(const std::string &Bytes) {
  static const std::string Mark = EK_ENVIRONMENT_MARK;
  std::vector<std::string> Names;
  for (size_t At = 0; (At = Bytes.find(Mark, At)) != std::string::npos;) {
    At += Mark.size();
    const size_t End = Bytes.find('\0', At);
    if (End != std::string::npos)
      Names.push_back(Bytes.substr(At, End - At));
  }
  return Names;
}

CommandLine commandLineOf(const std::vector<std::string> &Command, size_t Word,
                          const std::string &Bytes) {
  CommandLine Out;
  if (!isElf(Bytes))
    return Out;
  Out.Arguments.assign(Command.begin() + static_cast<std::ptrdiff_t>(Word),
                       Command.end());
  Out.Arguments[0] = std::filesystem::path(Command[Word]).filename().string();
  for (const std::string &Name : variablesRead(Bytes))
    if (const char *Value = std::getenv(Name.c_str()))
      Out.Environment[Name] = Value;
  addFiles(Out);
  return Out;
}

std::string commandId(const std::vector<std::string> &Command, size_t Word) {
  return inputId(
      std::filesystem::path(Command[Word]).filename().string(),
      {Command.begin() + static_cast<std::ptrdiff_t>(Word) + 1, Command.end()});
}

std::string commandText(const std::vector<std::string> &Command) {
  std::string Out;
  for (const std::string &Word : Command) {
    Out += Out.empty() ? "" : " ";
    if (!Word.empty() && Word.find_first_of(" \t\n'\"\\$`&|;<>()*?[]#~!{}") ==
                             std::string::npos) {
      Out += Word;
      continue;
    }
    Out += "'";
    for (const char C : Word)
      Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
    Out += "'";
  }
  return Out;
}

/// Programs that start the program which their arguments name.
static bool isLauncher(const std::string &Word) {
  static const std::set<std::string> Names = {
      "mpirun",  "mpiexec", "mpiexec.hydra", "orterun", "prterun", "srun",
      "aprun",   "jsrun",   "env",           "time",    "nice",    "numactl",
      "taskset", "timeout", "stdbuf",        "setarch"};
  return Names.count(std::filesystem::path(Word).filename().string()) != 0;
}

CommandLine targetCommandLine(const std::vector<std::string> &Command) {
  CommandLine Out;
  size_t Word = 0;
  while (Word + 1 < Command.size() && isLauncher(Command[Word])) {
    size_t Next = Word + 1;
    while (Next < Command.size() && findProgram(Command[Next]).empty())
      ++Next;
    if (Next == Command.size())
      break; // no program that we know
    for (size_t Setting = Word + 1; Setting < Next; ++Setting)
      if (const size_t Equal = Command[Setting].find('=');
          Equal != std::string::npos && Command[Setting][0] != '-')
        Out.Environment[Command[Setting].substr(0, Equal)] =
            Command[Setting].substr(Equal + 1);
    Word = Next;
  }
  Out.Arguments.assign(Command.begin() + static_cast<std::ptrdiff_t>(Word),
                       Command.end());
  if (!Out.Arguments.empty())
    Out.Arguments[0] =
        std::filesystem::path(Out.Arguments[0]).filename().string();
  addFiles(Out);
  return Out;
}

} // namespace evenkeel::cli
