//===- CompileDb.cpp - the units of a build -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CompileDb.h. Commands are split as a POSIX shell would do it, but without
// expansion, which compile databases do not contain.
//===----------------------------------------------------------------------===//
#include "CompileDb.h"
#include "LinkedSources.h"
#include "Process.h"
#include "builds/CompilerWords.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/ProjectRoot.h"
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace fs = std::filesystem;

namespace evenkeel::cli {

std::vector<std::string> splitShell(const std::string &Text, bool *Unclosed) {
  std::vector<std::string> Words;
  std::string Word;
  bool InWord = false;
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (Quote == '\'') {
      if (C == '\'')
        Quote = 0;
      else
        Word += C;
    } else if (C == '\\' && I + 1 < Text.size() &&
               (!Quote || Text[I + 1] == '"' || Text[I + 1] == '\\')) {
      Word += Text[++I];
      InWord = true;
    } else if (Quote) {
      if (C == Quote)
        Quote = 0;
      else
        Word += C;
    } else if (C == '"' || C == '\'') {
      Quote = C;
      InWord = true;
    } else if (C == ' ' || C == '\t' || C == '\n') {
      if (InWord)
        Words.push_back(Word);
      Word.clear();
      InWord = false;
    } else {
      Word += C;
      InWord = true;
    }
  }
  if (InWord)
    Words.push_back(Word);
  if (Unclosed)
    *Unclosed = Quote != 0;
  return Words;
}

static std::string absolute(const std::string &Directory,
                            const std::string &Path) {
  return (fs::path(Directory) / Path).lexically_normal().string();
}

static std::string extensionOf(const std::string &Path) {
  return fs::path(Path).extension().string();
}

static bool isCxxFile(const std::string &File) {
  static const std::set<std::string> Known = {".cpp", ".cc", ".cxx", ".C",
                                              ".c++", ".cp", ".CPP"};
  return Known.count(extensionOf(File)) != 0;
}

CompileDb readCompileDb(const std::string &Build) {
  CompileDb Db;
  std::error_code E;
  fs::path P = fs::is_directory(Build, E)
                   ? fs::path(Build) / "compile_commands.json"
                   : fs::path(Build);
  if (!fs::is_regular_file(P, E))
    fail("no compile database '" + P.string() +
         "'; configure with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or run "
         "the build under bear");
  Db.Path = fs::canonical(P, E).string();
  nlohmann::json J = nlohmann::json::parse(readTextFile(Db.Path), nullptr,
                                           /*allow_exceptions=*/false);
  auto Broken = [&](const std::string &Why) {
    fail("broken compile database '" + P.string() + "': " + Why +
         "; configure the build again");
  };
  if (!J.is_array())
    Broken("not a JSON array");
  for (const nlohmann::json &Entry : J) {
    if (!Entry.is_object() || !Entry.contains("file") ||
        !Entry["file"].is_string() || !Entry.contains("directory") ||
        !Entry["directory"].is_string())
      Broken("an entry without 'directory' or 'file'");
    CompileUnit U;
    U.Directory = absolute(fs::path(Db.Path).parent_path().string(),
                           Entry["directory"].get<std::string>());
    U.File = absolute(U.Directory, Entry["file"].get<std::string>());
    if (fs::exists(U.File, E) && !fs::is_regular_file(U.File, E))
      fail("cannot read '" + U.File + "', a unit of '" + P.string() +
           "': it is not a regular file");
    if (Entry.contains("arguments") && Entry["arguments"].is_array()) {
      for (const nlohmann::json &W : Entry["arguments"])
        if (W.is_string())
          U.Words.push_back(W.get<std::string>());
    } else if (Entry.contains("command") && Entry["command"].is_string()) {
      U.Words = splitShell(Entry["command"].get<std::string>());
    }
    U.Words = compilerCommand(U.Words, U.Directory);
    if (U.Words.empty())
      Broken("an entry without 'command' or 'arguments'");
    // Headers are compiled as part of the units that include them.
    if (makesHeader(U.Words) || isFrontEnd(U.Words))
      continue;
    if (extensionOf(U.File) != ".c" && !isCxxFile(U.File)) {
      ++Db.OtherLanguages;
      continue;
    }
    U.IsCxx = isCxxFile(U.File) ||
              fs::path(U.Words[0]).filename().string().find("++") !=
                  std::string::npos;
    for (size_t I = 1; I + 1 < U.Words.size(); ++I)
      if (U.Words[I] == "-o")
        U.Output = absolute(U.Directory, U.Words[I + 1]);
    Db.Units.push_back(std::move(U));
  }
  std::sort(Db.Units.begin(), Db.Units.end(),
            [](const CompileUnit &A, const CompileUnit &B) {
              return std::tie(A.File, A.Output) < std::tie(B.File, B.Output);
            });
  if (Db.Units.empty())
    fail("compile database '" + P.string() + "' has no C or C++ unit");
  return Db;
}

std::vector<std::string> analysisFlags(const CompileUnit &U) {
  // Options that are removed together with their value, the next word.
  static const std::set<std::string> DropWithValue = {"-o", "-MF", "-MT", "-MQ",
                                                      "-MJ"};
  // Options of gcc that clang rejects.
  static const std::vector<std::string> DropPrefix = {"-O",
                                                      "-g",
                                                      "-M",
                                                      "-flto",
                                                      "-fpass-plugin=",
                                                      "-fplugin=",
                                                      "-Werror",
                                                      "-record=",
                                                      "--record",
                                                      "-fanalyzer",
                                                      "-save-temps",
                                                      "--save-temps",
                                                      "-fuse-linker-plugin",
                                                      "-fno-fat-lto-objects",
                                                      "-ffat-lto-objects",
                                                      "-fdiagnostics-color"};
  std::vector<std::string> Flags;
  const std::vector<std::string> Words = withHeaderText(U.Words, U.Directory);
  for (size_t I = 1; I < Words.size(); ++I) {
    const std::string &W = Words[I];
    if (DropWithValue.count(W)) {
      ++I;
      continue;
    }
    if (W == "-c" || W == "-S" || W == "-E" || W == "-pipe" || W == "--" ||
        absolute(U.Directory, W) == U.File)
      continue;
    bool Drop = false;
    for (const std::string &Prefix : DropPrefix)
      Drop |= W.compare(0, Prefix.size(), Prefix) == 0;
    if (!Drop)
      Flags.push_back(W);
  }
  return Flags;
}

std::map<std::string, unsigned>
compilersOf(const std::vector<CompileUnit> &Units) {
  static const std::map<std::string, std::string> Families = {
      {"g++", "gcc"},   {"clang++", "clang"}, {"icpx", "icx"},
      {"icpc", "icc"},  {"nvc++", "nvc"},     {"armclang++", "armclang"},
      {"c++", ""},      {"cc", ""},           {"mpicc", ""},
      {"mpicxx", ""},   {"mpic++", ""},       {"mpiCC", ""},
      {"CC", ""},       {"mpigcc", "gcc"},    {"mpigxx", "gcc"},
      {"mpiicx", "icx"}};
  std::map<std::string, unsigned> Out;
  for (const CompileUnit &U : Units) {
    std::string Name = fs::path(U.Words[0]).filename().string();
    // x86_64-linux-gnu-gcc-12, clang-19
    size_t End = Name.find_last_not_of("0123456789.");
    if (End != std::string::npos && Name[End] == '-')
      Name.resize(End);
    size_t Dash = Name.rfind('-');
    if (Dash != std::string::npos && Name.rfind("evenkeel-", 0) != 0)
      Name.erase(0, Dash + 1);
    if (auto F = Families.find(Name); F != Families.end())
      Name = F->second;
    if (!Name.empty())
      ++Out[Name];
  }
  return Out;
}

void keepNamedUnits(CompileDb &Db, const std::vector<std::string> &Names) {
  std::set<std::string> Used;
  std::vector<CompileUnit> Kept;
  for (CompileUnit &U : Db.Units)
    for (const std::string &Name : Names) {
      std::string Tail = Name[0] == '/' ? Name : "/" + Name;
      if (U.File.size() < Tail.size() ||
          U.File.compare(U.File.size() - Tail.size(), Tail.size(), Tail) != 0)
        continue;
      Used.insert(Name);
      Kept.push_back(std::move(U));
      break;
    }
  for (const std::string &Name : Names)
    if (!Used.count(Name))
      fail("no unit '" + Name + "' in " + Db.Path);
  Db.Units = std::move(Kept);
}

void keepLinkedUnits(CompileDb &Db, const std::string &Executable) {
  fs::path Build = fs::path(Db.Path).parent_path();
  std::error_code E;
  std::string Target = Executable;
  if (fs::path Full = fs::absolute(Executable, E);
      fs::exists(Full, E) && Full.string().rfind(Build.string() + "/", 0) == 0)
    Target = fs::relative(Full, Build, E).string();
  std::vector<std::string> Inputs;
  if (fs::exists(Build / "build.ninja", E)) {
    std::string Ninja = findProgram("ninja");
    if (Ninja.empty())
      fail("--link needs ninja, which made " + Build.string());
    JobResult R = runJob({{Ninja, "-C", Build.string(), "-t", "inputs", Target},
                          "",
                          {},
                          true,
                          false});
    if (R.Status != 0)
      fail("'" + Executable + "' is not a target of " + Build.string() +
           "/build.ninja");
    Inputs = splitList(R.Out, '\n');
  } else {
    std::string Name = fs::path(Executable).filename().string();
    for (auto It = fs::recursive_directory_iterator(Build, E);
         It != fs::recursive_directory_iterator(); ++It)
      if (It->path().filename() == "link.txt" &&
          It->path().parent_path().filename() == Name + ".dir") {
        fs::path Here = It->path().parent_path().parent_path().parent_path();
        for (const std::string &W : splitShell(readTextFile(It->path())))
          Inputs.push_back(absolute(Here.string(), W));
      }
  }
  std::set<std::string> Linked;
  for (const std::string &I : Inputs)
    Linked.insert(absolute(Build.string(), I));
  std::vector<CompileUnit> Kept, Rest;
  for (CompileUnit &U : Db.Units)
    (Linked.count(U.Output) ? Kept : Rest).push_back(std::move(U));
  if (Kept.empty()) { // other build systems: ask the program itself
    const std::set<std::string> Sources = linkedSources(Executable);
    Db.Units = std::move(Rest);
    Rest.clear();
    for (CompileUnit &U : Db.Units)
      (Sources.count(fs::path(U.File).filename().string()) ? Kept : Rest)
          .push_back(std::move(U));
  }
  Db.Unlinked.insert(Db.Unlinked.end(), Rest.begin(), Rest.end());
  if (Kept.empty())
    fail("cannot tell which units make '" + Executable +
         "'; name them with --units");
  Db.Units = std::move(Kept);
}

std::string projectRoot(const CompileDb &Db) {
  ProjectRoot Found;
  for (const CompileUnit &U : Db.Units)
    Found.add(U.Directory, U.File);
  const std::string Root = Found.get();
  if (Root.empty())
    fail("sources and build have no directory in common; name the project's "
         "with --root DIR");
  return Root;
}

} // namespace evenkeel::cli
