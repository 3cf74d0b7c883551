//===- Project.h - compile database, root, parsing one unit -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which units there are, how each is compiled, where the project's root
// is, and how to parse a unit with Clang (also with edited files in memory).
// Makes: a UnitResult per unit. Flags that only other compilers know are left
// out of the replay and counted.
// Not here: what is looked for (Collect) and what is written (Output).
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
  unsigned OtherLanguages = 0;    // entries that are neither
};

/// Loads BUILD/compile_commands.json (or the file itself). \p Root may be
/// empty: EVENKEEL_ROOT, else what ProjectRoot finds for all its sources. \p
/// Sources limits the units; empty: all.
Expected<Project> loadProject(const std::string &Build, const std::string &Root,
                              const std::vector<std::string> &Sources);

/// Parses \p Unit with every command the database has for it. \p Overlay maps
/// absolute paths to contents that replace the files'. With \p Collect null,
/// only errors are looked for. Thread-safe for different units.
UnitResult parseUnit(const Project &P, const std::string &Unit,
                     const std::map<std::string, std::string> &Overlay,
                     const CollectOptions *Collect);

} // namespace evenkeel

#endif
