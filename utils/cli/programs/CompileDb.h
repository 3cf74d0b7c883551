//===- CompileDb.h - the units of a build -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: compile_commands.json, as CMake and Bear write it, and how to turn one
// of its commands into one that clang-19 takes for analysis.
// Not here: running anything.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_COMPILEDB_H
#define EVENKEEL_UTILS_CLI_COMPILEDB_H

#include <map>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct CompileUnit {
  std::string Directory;          // absolute
  std::string File;               // absolute
  std::string Output;             // absolute, "" when the entry names none
  std::vector<std::string> Words; // the compiler and its arguments
  bool IsCxx = false;
};

struct CompileDb {
  std::string Path;               // of compile_commands.json, absolute
  std::vector<CompileUnit> Units; // C and C++ only, sorted by file
  /// Of the same build, but not of the program that was asked for.
  std::vector<CompileUnit> Unlinked;
  unsigned OtherLanguages = 0;
};

/// \p Build is a directory with a compile_commands.json, or such a file.
CompileDb readCompileDb(const std::string &Build);

/// The command's flags without compiler, input, output, dependency files,
/// optimisation, debug, warnings-as-errors and other plugins.
std::vector<std::string> analysisFlags(const CompileUnit &U);

/// Units by compiler, C and C++ alike ("gcc", "clang", "icx", ...); without
/// those of names that stand for any (cc, c++, mpicc).
std::map<std::string, unsigned>
compilersOf(const std::vector<CompileUnit> &Units);

/// Keeps the units that are linked into \p Executable (a target of build.ninja
/// or of CMake's link.txt below the database's folder).
void keepLinkedUnits(CompileDb &Db, const std::string &Executable);

/// Keeps the units whose path ends in one of \p Names (at a '/').
void keepNamedUnits(CompileDb &Db, const std::vector<std::string> &Names);

/// The project's root as ProjectRoot finds it; fails where it finds none.
std::string projectRoot(const CompileDb &Db);

} // namespace evenkeel::cli

#endif
