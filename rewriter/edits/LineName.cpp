//===- LineName.cpp - line markers that name their file -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LineName.h.
//===----------------------------------------------------------------------===//
#include "LineName.h"
#include "Paths.h"
#include <algorithm>
#include <set>

namespace evenkeel {

/// A string literal; empty if the name does not fit on one line.
static std::string quoted(const std::string &Name) {
  std::string Out = "\"";
  for (char C : Name) {
    if (static_cast<unsigned char>(C) < ' ')
      return "";
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "\"";
}

std::string lineDirective(unsigned Line, const std::string &Name) {
  std::string Text = "#line " + std::to_string(Line);
  std::string File = Name == std::string(1, OwnName) ? Name : quoted(Name);
  return File.empty() ? Text : Text + " " + File;
}

void nameLines(std::string &Text, const std::string &Name) {
  std::string With = Name.empty() ? "" : quoted(Name);
  const std::string Without = std::string(" ") + OwnName;
  for (size_t P; (P = Text.find(Without)) != std::string::npos;)
    Text.replace(P, Without.size(), With.empty() ? "" : " " + With);
}

std::string commonName(const std::string &Path,
                       const std::vector<UnitResult> &Units) {
  std::set<std::string> Names, Directories;
  for (const UnitResult &U : Units) {
    if (!U.Files.count(Path))
      continue;
    Directories.insert(U.Directories.begin(), U.Directories.end());
    if (auto It = U.Names.find(Path); It != U.Names.end())
      Names.insert(It->second.begin(), It->second.end());
  }
  std::string Best;
  for (const std::string &Name : Names) {
    bool Agreed = std::all_of(Directories.begin(), Directories.end(),
                              [&](const std::string &Directory) {
                                return canonicalPath(Name, Directory) == Path;
                              });
    if (Agreed && (Best.empty() || Name.size() < Best.size()))
      Best = Name;
  }
  return Best;
}

} // namespace evenkeel
