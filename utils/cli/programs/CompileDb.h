//===- CompileDb.h - the units of a build -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: compile_commands.json, as CMake and Bear write it, and how to turn one
// of its commands into a clang-19 command for analysis.
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
  std::string Output;             // absolute; "" if the entry has none
  std::vector<std::string> Words; // the compiler and its arguments
  bool IsCxx = false;
};

struct CompileDb {
  std::string Path;               // of compile_commands.json, absolute
  std::vector<CompileUnit> Units; // C and C++ only, sorted by file
  /// Units of the same build that do not belong to the chosen program.
  std::vector<CompileUnit> Unlinked;
  unsigned OtherLanguages = 0;
};

/// The words of \p Text as a POSIX shell splits them, without expansion. Sets
/// \p Unclosed to whether a quote is still open at its end.
std::vector<std::string> splitShell(const std::string &Text,
                                    bool *Unclosed = nullptr);

/// \p Build is a directory with a compile_commands.json, or that file itself.
CompileDb readCompileDb(const std::string &Build);

/// The command's flags without compiler, input, output, dependency files,
/// optimisation, debug information, warnings as errors and other plugins.
std::vector<std::string> analysisFlags(const CompileUnit &U);

/// Number of units by compiler ("gcc", "clang", "icx", ...; C and C++
/// together), without names that may mean any compiler (cc, c++, mpicc).
std::map<std::string, unsigned>
compilersOf(const std::vector<CompileUnit> &Units);

/// Keeps the units that are linked into \p Executable (a target of build.ninja
/// or of CMake's link.txt below the database's folder).
void keepLinkedUnits(CompileDb &Db, const std::string &Executable);

/// Keeps the units whose path ends in one of \p Names (at a '/').
void keepNamedUnits(CompileDb &Db, const std::vector<std::string> &Names);

/// The project's root according to ProjectRoot; fails if there is none.
std::string projectRoot(const CompileDb &Db);

} // namespace evenkeel::cli

#endif
