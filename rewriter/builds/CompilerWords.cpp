//===- CompilerWords.cpp - compile commands for clang ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CompilerWords.h. Wrappers pass on options that they do not know, so
// `-###` makes a wrapper's compiler print its options: gcc those of its driver,
// clang the command of its front end.
//===----------------------------------------------------------------------===//
#include "CompilerWords.h"
#include "Launchers.h"
#include "ResponseFiles.h"
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <poll.h>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace evenkeel {

static bool isHeaderLanguage(const std::string &Language) {
  return endsWith(Language, "-header");
}

Words compilerCommand(const Words &Entry, const std::string &Directory) {
  return withoutLaunchers(withResponseFiles(Entry, Directory));
}

bool isFrontEnd(const Words &Command) {
  return Command.size() > 1 && Command[1] == "-cc1";
}

bool makesHeader(const Words &Command) {
  for (size_t I = 0; I < Command.size(); ++I) {
    const std::string &W = Command[I];
    if (W == "-emit-pch" || (startsWith(W, "-x") && isHeaderLanguage(W)) ||
        (W == "-x" && I + 1 < Command.size() &&
         isHeaderLanguage(Command[I + 1])))
      return true;
  }
  return false;
}

/// The header from which the precompiled \p File was made, if it exists.
static std::string headerOf(const std::string &File,
                            const std::string &Directory) {
  std::error_code E;
  for (const char *End : {".pch", ".gch"})
    if (endsWith(File, End)) {
      const std::string Header = File.substr(0, File.size() - 4);
      if (fs::is_regular_file(fs::path(Directory) / Header, E))
        return Header;
    }
  return "";
}

/// Whether \p Header, included by an option, has a compiled form that the
/// compiler would use instead.
static bool isCompiled(const std::string &Header,
                       const std::string &Directory) {
  std::error_code E;
  for (const char *End : {".pch", ".gch"})
    if (fs::exists(fs::path(Directory) / (Header + End), E))
      return true;
  return false;
}

/// The headers that \p Header includes, if it is one of CMake's headers for
/// precompilation: those call themselves system headers and only include
/// others, whose code would then not count as the project's. Otherwise \p
/// Header.
static Words meantBy(const std::string &Header, const std::string &Directory) {
  std::error_code E;
  if (!fs::is_regular_file(fs::path(Directory) / Header, E))
    return {Header};
  std::ifstream Text(fs::path(Directory) / Header);
  bool IsSystem = false;
  Words Names;
  for (std::string Line; std::getline(Text, Line);) {
    std::istringstream In(Line);
    std::string First, Second, Third;
    In >> First >> Second >> Third;
    if (First.empty() || startsWith(First, "//") ||
        (startsWith(First, "/*") && endsWith(Line, "*/")))
      continue;
    if (First == "#pragma" && Third == "system_header")
      IsSystem = true;
    else if (First == "#include" && Second.size() > 2 && Third.empty())
      Names.push_back(Second.substr(1, Second.size() - 2));
    else
      return {Header};
  }
  return IsSystem ? Names : Words{Header};
}

Words withHeaderText(Words Command, const std::string &Directory) {
  Words Out;
  std::set<std::string> Included;
  auto Include = [&](const std::string &Header) {
    if (Included.insert(Header).second)
      for (const std::string &Name : meantBy(Header, Directory))
        for (const std::string &Word :
             {std::string("-Xclang"), std::string("-include"),
              std::string("-Xclang"), Name})
          Out.push_back(Word);
  };
  // A front-end option: four words on the command line.
  auto FrontEnd = [&](size_t At, const std::string &Name) {
    return At + 3 < Command.size() && Command[At] == "-Xclang" &&
           Command[At + 1] == Name && Command[At + 2] == "-Xclang";
  };
  for (size_t I = 0; I < Command.size(); ++I) {
    const std::string &W = Command[I];
    const bool Front = FrontEnd(I, "-include-pch");
    const size_t Values = Front ? 3 : 1;
    if ((Front || W == "-include-pch") && I + Values < Command.size()) {
      const std::string Header = headerOf(Command[I + Values], Directory);
      if (Header.empty())
        Out.insert(Out.end(), Command.begin() + std::ptrdiff_t(I),
                   Command.begin() + std::ptrdiff_t(I + Values + 1));
      else
        Include(Header);
      I += Values;
    } else if (FrontEnd(I, "-include")) {
      Include(Command[I + 3]);
      I += 3;
    } else if (W == "-include" && I + 1 < Command.size() &&
               isCompiled(Command[I + 1], Directory)) {
      Include(Command[++I]);
    } else if (W != "-Winvalid-pch" && W != "-fpch-preprocess" &&
               !startsWith(W, "-fpch-") && !startsWith(W, "-fpch=")) {
      Out.push_back(W);
    }
  }
  return Out;
}

/// Splits a line into words, with the quotes that -### uses.
static Words splitQuoted(const std::string &Line) {
  Words Out;
  for (size_t I = 0; I < Line.size();) {
    if (std::isspace(static_cast<unsigned char>(Line[I]))) {
      ++I;
      continue;
    }
    std::string Word;
    char Quote = 0;
    for (; I < Line.size() &&
           (Quote || !std::isspace(static_cast<unsigned char>(Line[I])));
         ++I) {
      if (Line[I] == '\\' && I + 1 < Line.size() && Quote != '\'')
        Word += Line[++I];
      else if (Quote ? Line[I] == Quote : Line[I] == '"' || Line[I] == '\'')
        Quote = Quote ? 0 : Line[I];
      else
        Word += Line[I];
    }
    Out.push_back(Word);
  }
  return Out;
}

/// The output of \p Command on both streams; waits for a few seconds at most.
static std::string outputOf(const Words &Command,
                            const std::string &Directory) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return "";
  std::vector<char *> Argv;
  for (const std::string &W : Command)
    Argv.push_back(const_cast<char *>(W.c_str()));
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 1);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 2);
  posix_spawn_file_actions_addchdir_np(&Actions, Directory.c_str());
  pid_t Child = 0;
  const int Failed =
      posix_spawnp(&Child, Argv[0], &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  std::string Text;
  constexpr int Patience = 5000; // ms of silence
  constexpr size_t Most = 1 << 20;
  char Block[4096];
  for (pollfd P{Pipe[0], POLLIN, 0};
       !Failed && Text.size() < Most && poll(&P, 1, Patience) > 0;) {
    const ssize_t N = read(Pipe[0], Block, sizeof Block);
    if (N <= 0)
      break;
    Text.append(Block, static_cast<size_t>(N));
  }
  close(Pipe[0]);
  if (Failed)
    return "";
  kill(Child, SIGTERM); // no effect if it has ended
  waitpid(Child, nullptr, 0);
  return Text;
}

/// The words of a command that affect the meaning of a source.
static Words meaningOf(const Words &All) {
  static const std::set<std::string> WithValue = {
      "-I", "-isystem", "-idirafter", "-iquote", "-D", "-U", "-include"};
  Words Out;
  for (size_t I = 0; I < All.size(); ++I) {
    const std::string &W = All[I];
    if (WithValue.count(W) && I + 1 < All.size()) {
      Out.push_back(W);
      Out.push_back(All[++I]);
    } else if (W.size() > 2 && (startsWith(W, "-I") || startsWith(W, "-D") ||
                                startsWith(W, "-U"))) {
      Out.push_back(W);
    }
  }
  return Out;
}

static Words askWrapper(const std::string &Program,
                        const std::string &Directory) {
  const std::string Text = outputOf(
      {Program, "-###", "-c", "-x", "c", "/dev/null", "-o", "/dev/null"},
      Directory);
  const std::string Driver = "COLLECT_GCC_OPTIONS=";
  for (size_t At = 0; At < Text.size();) {
    size_t End = Text.find('\n', At);
    End = End == std::string::npos ? Text.size() : End;
    const std::string Line = Text.substr(At, End - At);
    At = End + 1;
    if (startsWith(Line, Driver))
      return meaningOf(splitQuoted(Line.substr(Driver.size())));
    if (Line.find("\"-cc1\"") != std::string::npos ||
        Line.find(" -cc1 ") != std::string::npos)
      return meaningOf(splitQuoted(Line));
  }
  return {};
}

Words flagsOfWrapper(const std::string &Program, const std::string &Directory) {
  static std::mutex Lock;
  static std::map<std::pair<std::string, std::string>, Words> Known;
  if (isPlainCompiler(Program))
    return {};
  // A program that is found in PATH is the same in every folder.
  const std::string Where =
      Program.find('/') == std::string::npos ? "/" : Directory;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [It, New] = Known.try_emplace({Program, Where});
  if (New)
    It->second = askWrapper(Program, Where);
  return It->second;
}

} // namespace evenkeel
