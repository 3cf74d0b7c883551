//===- Project.h - compile database, root, parsing one unit -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units, their compile commands, the project's root, and how to
// parse a unit with Clang (also with edited files in memory).
// Makes: a UnitResult per unit. Flags that Clang does not know are omitted and
// counted.
// Not here: what is searched for (Collect) and written (Output).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PROJECT_H
#define EVENKEEL_REWRITER_PROJECT_H

#include "CommandTable.h"
#include "edits/Findings.h"
#include "format/Error.h"
#include "walk/Collect.h"
#include <memory>

namespace evenkeel {

struct Project {
  std::string Root;         // absolute, canonical
  bool RootIsNamed = false; // by --root or EVENKEEL_ROOT
  std::string Database;     // absolute path of compile_commands.json
  std::unique_ptr<CommandTable> Commands;
  std::vector<std::string> Units; // absolute, sorted; C and C++ only
  unsigned OtherLanguages = 0;    // entries in other languages
};

/// Loads BUILD/compile_commands.json (or \p Build, if it is that file). If \p
/// Root is empty, the root is EVENKEEL_ROOT or what ProjectRoot finds for all
/// sources. If \p Sources is not empty, only these units are loaded.
Expected<Project> loadProject(const std::string &Build, const std::string &Root,
                              const std::vector<std::string> &Sources);

/// Parses \p Unit with each of its commands in the database. \p Overlay maps
/// absolute paths to contents that replace those of the files. If \p Collect is
/// null, only checks for errors. Thread-safe for different units.
UnitResult parseUnit(const Project &P, const std::string &Unit,
                     const std::map<std::string, std::string> &Overlay,
                     const CollectOptions *Collect);

} // namespace evenkeel

#endif
