//===- Launchers.cpp - programs in front of compilers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launchers.h. A known launcher may start any compiler. After an unknown
// program, only the usual names of compilers count as compilers.
//===----------------------------------------------------------------------===//
#include "Launchers.h"
#include "Words.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

namespace fs = std::filesystem;

namespace evenkeel {

static std::string nameOf(const std::string &Program) {
  std::string Name = fs::path(Program).filename().string();
  const size_t End = Name.find_last_not_of("0123456789.");
  if (End != std::string::npos && Name[End] == '-')
    Name.resize(End);
  return Name;
}

bool isPlainCompiler(const std::string &Program) {
  static const std::set<std::string> Plain = {
      "cc",          "c++",          "gcc",      "g++",   "clang",
      "clang++",     "icx",          "icpx",     "icc",   "icpc",
      "evenkeel-cc", "evenkeel-c++", "nvc",      "nvc++", "pgcc",
      "c89",         "c99",          "armclang", "tcc",   "armclang++"};
  const std::string Name = nameOf(Program);
  if (Plain.count(Name))
    return true;
  const size_t Dash = Name.rfind('-');
  return Dash != std::string::npos && Plain.count(Name.substr(Dash + 1)) != 0;
}

/// MPI's compiler wrappers, also with the suffix of alternatives
/// (mpicc.openmpi).
static bool isMpiCompiler(const std::string &Program) {
  static const std::set<std::string> Known = {
      "mpicc",  "mpicxx",  "mpic++", "mpiCC",   "mpigcc", "mpigxx",
      "mpiicc", "mpiicpc", "mpiicx", "mpiicpx", "mpixlc", "mpiclang"};
  const std::string Name = fs::path(Program).filename().string();
  return Known.count(Name.substr(0, Name.find('.'))) != 0;
}

namespace {
struct Launcher {
  bool HasOptions;                 // false: the next word may be the compiler
  std::set<std::string> WithValue; // options that take the next word
  unsigned Positional = 0;         // own arguments after its options
};
} // namespace

static const std::map<std::string, Launcher> &knownLaunchers() {
  static const std::map<std::string, Launcher> Known = {
      {"ccache", {false, {}}},
      {"sccache", {false, {}}},
      {"distcc", {false, {}}},
      {"icecc", {false, {}}},
      {"buildcache", {false, {}}},
      {"gomacc", {false, {}}},
      {"pump", {false, {}}},
      {"scorep", {true, {}}},
      {"env", {true, {"-u", "--unset", "-C", "--chdir"}}},
      {"time", {true, {"-f", "--format", "-o", "--output"}}},
      {"nice", {true, {"-n", "--adjustment"}}},
      {"ionice", {true, {"-c", "-n", "--class", "--classdata"}}},
      {"nohup", {true, {}}},
      {"setsid", {true, {}}},
      {"stdbuf", {true, {"-i", "-o", "-e", "--input", "--output", "--error"}}},
      {"timeout", {true, {"-s", "--signal", "-k", "--kill-after"}, 1}},
      {"taskset", {true, {}, 1}},
      {"cmake", {true, {}}},
      {"libtool", {true, {"--mode", "--tag"}}},
      {"sh", {true, {}}},
      {"bash", {true, {}}},
      {"dash", {true, {}}}};
  return Known;
}

/// Whether \p Word is NAME=VALUE, before a command or after env.
static bool isAssignment(const std::string &Word) {
  const size_t Sign = Word.find('=');
  return Sign != std::string::npos && Sign > 0 &&
         std::isdigit(static_cast<unsigned char>(Word[0])) == 0 &&
         std::all_of(
             Word.begin(), Word.begin() + std::ptrdiff_t(Sign),
             [](unsigned char C) { return std::isalnum(C) || C == '_'; });
}

static bool isLibtool(const std::string &Name) {
  return Name == "libtool" ||
         (Name.size() > 8 && Name.substr(Name.size() - 8) == "-libtool");
}

/// The position of the next program after the launcher at \p At and its
/// options.
static size_t afterLauncher(const Words &C, size_t At, const Launcher &L,
                            const std::string &Name) {
  size_t I = At + 1;
  if (Name == "cmake") // cmake -E env [OPTION | NAME=VALUE]... [--] COMMAND
    I = At + 1 < C.size() && C[At + 1] == "-E" ? At + 3 : C.size();
  const bool IsShell = Name == "sh" || Name == "bash" || Name == "dash";
  if (IsShell && I < C.size() && startsWith(C[I], "-"))
    return C.size(); // sh -c TEXT
  for (; I < C.size(); ++I) {
    if (L.HasOptions && C[I] == "--") {
      ++I;
      break;
    }
    if (L.HasOptions && L.WithValue.count(C[I]))
      ++I;
    else if (!(L.HasOptions && startsWith(C[I], "-")) && !isAssignment(C[I]))
      break;
  }
  return I + L.Positional;
}

/// The position after \p At of a word that is a usual compiler name and not an
/// option's value; 0: none.
static size_t compilerAfter(const Words &C, size_t At) {
  for (size_t I = At + 1; I < C.size(); ++I) {
    if (C[I] == "-c" || C[I] == "-o")
      break;
    const std::string &Before = C[I - 1];
    const bool IsValue = I - 1 > At && startsWith(Before, "-") &&
                         Before != "--" &&
                         Before.find('=') == std::string::npos;
    if (!IsValue && (isPlainCompiler(C[I]) || isMpiCompiler(C[I])))
      return I;
  }
  return 0;
}

/// The command that libtool passes on for \p Command.
static Words handedOn(const Words &Command) {
  static const std::set<std::string> Own = {"-prefer-pic", "-prefer-non-pic",
                                            "-no-suppress"};
  Words Out;
  for (size_t I = 0; I < Command.size(); ++I) {
    const std::string &W = Command[I];
    if (startsWith(W, "-Wc,")) {
      for (size_t At = 4, End; At < W.size(); At = End + 1) {
        End = std::min(W.find(',', At), W.size());
        Out.push_back(W.substr(At, End - At));
      }
    } else if (W == "-Xcompiler" && I + 1 < Command.size()) {
      Out.push_back(Command[++I]);
    } else if (!Own.count(W)) {
      Out.push_back(W);
    }
  }
  return Out;
}

Words withoutLaunchers(Words Command) {
  size_t At = 0;
  bool HandsOn = false;
  for (;;) {
    while (At < Command.size() && isAssignment(Command[At]))
      ++At;
    if (At == Command.size())
      return Command;
    std::string Name = fs::path(Command[At]).filename().string();
    if (isLibtool(Name))
      Name = "libtool";
    size_t Next = 0;
    if (auto L = knownLaunchers().find(Name); L != knownLaunchers().end()) {
      HandsOn |= Name == "libtool";
      Next = afterLauncher(Command, At, L->second, Name);
    } else if (!isPlainCompiler(Command[At]) && !isMpiCompiler(Command[At])) {
      Next = compilerAfter(Command, At);
    }
    // Before an option, it is the compiler itself (distcc -c a.c).
    if (Next == 0 || Next >= Command.size() || startsWith(Command[Next], "-"))
      break;
    At = Next;
  }
  Command.erase(Command.begin(), Command.begin() + std::ptrdiff_t(At));
  return HandsOn ? handedOn(Command) : Command;
}

} // namespace evenkeel
