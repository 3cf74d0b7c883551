//===- CommandTable.cpp - compile commands by file ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandTable.h. Clang's tooling reads the JSON; it leaves directories as
// written.
//===----------------------------------------------------------------------===//
#include "CommandTable.h"
#include "builds/CompilerWords.h"
#include "edits/Paths.h"
#include "walk/Collect.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include <filesystem>

namespace evenkeel {
using namespace clang::tooling;

std::unique_ptr<CommandTable> CommandTable::load(const std::string &Path,
                                                 std::string &Message) {
  auto Read = JSONCompilationDatabase::loadFromFile(
      Path, Message, JSONCommandLineSyntax::AutoDetect);
  if (!Read)
    return nullptr;
  // If the database is a link, the folder of the file that it links to.
  const std::string Folder =
      std::filesystem::path(canonicalPath(Path, "/")).parent_path().string();
  auto Table = std::make_unique<CommandTable>();
  for (CompileCommand &C : Read->getAllCompileCommands()) {
    if (std::filesystem::path(C.Directory).is_relative())
      C.Directory = canonicalPath(C.Directory, Folder);
    C.CommandLine = compilerCommand(C.CommandLine, C.Directory);
    // Precompiled headers are parsed as part of the units that include them.
    if (makesHeader(C.CommandLine) || isFrontEnd(C.CommandLine))
      continue;
    Table->ByFile.emplace(canonicalPath(C.Filename, C.Directory),
                          Table->All.size());
    Table->All.push_back(std::move(C));
  }
  return Table;
}

std::vector<CompileCommand>
CommandTable::getCompileCommands(llvm::StringRef File) const {
  std::vector<CompileCommand> Found;
  auto [Begin, End] = ByFile.equal_range(canonicalPath(File.str(), "/"));
  for (auto It = Begin; It != End; ++It) {
    CompileCommand C = All[It->second];
    C.CommandLine = withHeaderText(std::move(C.CommandLine), C.Directory);
    if (!C.CommandLine.empty())
      for (std::string &Flag : flagsOfWrapper(C.CommandLine[0], C.Directory))
        C.CommandLine.push_back(std::move(Flag));
    Found.push_back(std::move(C));
  }
  return Found;
}

std::vector<std::string> CommandTable::getAllFiles() const {
  std::vector<std::string> Files;
  for (auto It = ByFile.begin(); It != ByFile.end();
       It = ByFile.upper_bound(It->first))
    Files.push_back(It->first);
  return Files;
}

} // namespace evenkeel
