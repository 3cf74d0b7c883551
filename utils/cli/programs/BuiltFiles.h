//===- BuiltFiles.h - the files of a built program --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units and the link of a program that evenkeel-cc built, and of its
// libraries, as values.
// Not here: reading them (BuiltProgram), and where a moved tree has its sources
// (MovedTree).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BUILTFILES_H
#define EVENKEEL_UTILS_CLI_BUILTFILES_H

#include "format/builds/BuildNote.h"
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// One linked file: the program, or a library.
struct BuiltFile {
  std::string Path; // absolute
  std::vector<BuiltUnit> Units;
  std::optional<BuiltLink> Link;
};

/// The folders before and after a tree was copied or moved.
struct TreeMove {
  std::string From, To;
};

struct BuiltProgram {
  /// Those with units; the program first if it has any.
  std::vector<BuiltFile> Files;
  /// 16 hex digits: a hash of the contents of all files.
  std::string Build;
  /// If the sources are those beside the program (MovedTree).
  std::optional<TreeMove> Moved;

  /// The root that the user named for all units, or "".
  std::string namedRoot() const;
};

} // namespace evenkeel::cli

#endif
