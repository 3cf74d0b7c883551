//===- BuiltProgram.cpp - what a program says of its own build ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BuiltProgram.h.
//===----------------------------------------------------------------------===//
#include "BuiltProgram.h"
#include "ElfFile.h"
#include "LoadedLibraries.h"
#include "MovedTree.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/File.h"
#include "format/Identity.h"
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

namespace fs = std::filesystem;

namespace evenkeel::cli {

std::string BuiltProgram::namedRoot() const {
  std::set<std::string> Roots;
  for (const BuiltFile &F : Files)
    for (const BuiltUnit &U : F.Units)
      Roots.insert(U.Line.Root.empty()
                       ? ""
                       : (fs::path(U.Line.Directory) / U.Line.Root)
                             .lexically_normal()
                             .string());
  return Roots.size() == 1 ? *Roots.begin() : "";
}

/// What the files \p Paths say; no files if none of them says anything.
static BuiltProgram readFiles(const std::vector<std::string> &Paths) {
  BuiltProgram P;
  uint64_t Hash = detail::EmptyHash;
  for (const std::string &Path : Paths) {
    const ElfFile File(Path);
    size_t Broken = 0;
    BuiltFile F{Path, readUnits(File.section(UnitsSection), Broken),
                readLink(File.section(LinkSection))};
    if (Broken)
      fail("'" + Path + "' says of " + std::to_string(Broken) +
           " units how they were built in a form that this version does not "
           "know; build it again");
    if (F.Units.empty())
      continue;
    const uint64_t Its = contentHash(orFail(readWholeFile(Path)));
    detail::mixBytes(Hash, &Its, sizeof Its);
    P.Files.push_back(std::move(F));
  }
  P.Build = idToString(detail::avalanche(Hash));
  return P;
}

std::optional<BuiltProgram> readBuiltProgram(const std::string &Program) {
  BuiltProgram P = readFiles(programAndLibraries(Program));
  const std::optional<TreeMove> Move = findMove(P, Program);
  if (Move) {
    // The program names folders of the old tree.
    P = readFiles(programAndLibraries(Program, [&](const std::string &Folder) {
      return moved(Folder, *Move);
    }));
    followTree(P, *Move);
  }
  if (P.Files.empty())
    return std::nullopt;
  return P;
}

void noteMove(const BuiltProgram &P) {
  if (P.Moved)
    std::cerr << "evenkeel: '" << shownPath(P.Files[0].Path)
              << "' was built in " << P.Moved->From
              << "; its sources are taken from " << P.Moved->To << "\n";
}

std::optional<BuiltCommand> builtIn(const std::vector<std::string> &Command) {
  for (size_t I = 0; I < Command.size(); ++I)
    if (const std::string Program = findProgram(Command[I]); !Program.empty())
      if (std::optional<BuiltProgram> Built = readBuiltProgram(Program))
        return BuiltCommand{I, Program, std::move(*Built)};
  return std::nullopt;
}

/// Fails if one of the files of \p Units is not as it was when it was compiled.
static void refuseEdited(const BuiltFile &F, std::set<std::string> &Checked) {
  for (const BuiltUnit &U : F.Units)
    for (const auto &[Path, Hash] : U.Files) {
      if (!Checked.insert(Path).second)
        continue;
      Expected<std::string> Text = readWholeFile(Path);
      if (!Text)
        fail("'" + Path + "', of which '" + F.Path +
             "' was built, cannot be read any more; build the program again "
             "where its sources are");
      if (contentHash(*Text) != Hash)
        fail("'" + Path + "' was edited after '" + F.Path +
             "' was built; build it again");
    }
}

std::vector<std::string> editedFiles(const BuiltProgram &P) {
  std::set<std::string> Edited, Checked;
  for (const BuiltFile &F : P.Files)
    for (const BuiltUnit &U : F.Units)
      for (const auto &[Path, Hash] : U.Files)
        if (Checked.insert(Path).second)
          if (Expected<std::string> Text = readWholeFile(Path);
              !Text || contentHash(*Text) != Hash)
            Edited.insert(Path);
  return {Edited.begin(), Edited.end()};
}

std::string sourcesRoot(const BuiltProgram &P) {
  if (!editedFiles(P).empty())
    return "";
  const std::string Named = P.namedRoot();
  return Named.empty() ? projectRoot(databaseOf(P, "")) : Named;
}

CompileDb databaseOf(const BuiltProgram &P, const std::string &Name) {
  CompileDb Db;
  Db.Path = Name;
  std::set<std::string> Checked;
  for (const BuiltFile &F : P.Files) {
    refuseEdited(F, Checked);
    for (const BuiltUnit &U : F.Units)
      Db.Units.push_back({U.Line.Directory, U.File, "", U.Line.Words, U.IsCxx});
  }
  auto Order = [](const CompileUnit &A, const CompileUnit &B) {
    return std::tie(A.File, A.Directory, A.Words) <
           std::tie(B.File, B.Directory, B.Words);
  };
  auto Same = [&](const CompileUnit &A, const CompileUnit &B) {
    return !Order(A, B) && !Order(B, A);
  };
  std::sort(Db.Units.begin(), Db.Units.end(), Order);
  // An archive that is in several libraries.
  Db.Units.erase(std::unique(Db.Units.begin(), Db.Units.end(), Same),
                 Db.Units.end());
  return Db;
}

std::string databaseText(const CompileDb &Db) {
  nlohmann::json J = nlohmann::json::array();
  for (const CompileUnit &U : Db.Units) {
    // As a compiler is called: rewritten text repeats the name.
    const std::string File =
        fs::path(U.File).lexically_proximate(U.Directory).string();
    std::vector<std::string> Words = U.Words;
    Words.insert(Words.end(), {"-c", File});
    J.push_back({{"directory", U.Directory},
                 {"file", File},
                 {"arguments", std::move(Words)}});
  }
  return J.dump(1) + "\n";
}

} // namespace evenkeel::cli
