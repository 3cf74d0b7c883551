//===- BuiltProgram.h - what a program says of its own build ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units and the link of a program that evenkeel-cc built, and of the
// project's shared libraries that it uses (format/builds/BuildNote.h).
// Makes: a compile database of its units.
// Not here: building it again (Twin).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BUILTPROGRAM_H
#define EVENKEEL_UTILS_CLI_BUILTPROGRAM_H

#include "BuiltFiles.h"
#include "CompileDb.h"
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// Nullopt if neither \p Program nor one of its libraries has a unit.
std::optional<BuiltProgram> readBuiltProgram(const std::string &Program);

/// Says on standard error where the sources of \p P are if its tree was moved.
void noteMove(const BuiltProgram &P);

/// The files of \p P that are no longer as they were when it was built.
std::vector<std::string> editedFiles(const BuiltProgram &P);

/// Such a program in a command: the first word, or what a launcher starts.
struct BuiltCommand {
  size_t Word = 0;
  std::string Program; // its path
  BuiltProgram Built;
};
std::optional<BuiltCommand> builtIn(const std::vector<std::string> &Command);

/// The folder to which places in the facts of \p P are relative; "" if a source
/// is no longer as it was when it was built.
std::string sourcesRoot(const BuiltProgram &P);

/// The units of \p P as those of a compile database with the name \p Name.
/// Fails if a file was edited since the program was built.
CompileDb databaseOf(const BuiltProgram &P, const std::string &Name);

/// The compile database \p Db as the text of a compile_commands.json.
std::string databaseText(const CompileDb &Db);

} // namespace evenkeel::cli

#endif
