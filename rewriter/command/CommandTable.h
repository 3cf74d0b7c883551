//===- CommandTable.h - compile commands by file ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a compile_commands.json, read as `evenkeel analyze` reads it: relative
// directories start at the database's own folder, and a file has the same
// commands by whatever path (links resolved).
// Not here: which of the files are units (Project).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COMMANDTABLE_H
#define EVENKEEL_REWRITER_COMMANDTABLE_H

#include "clang/Tooling/CompilationDatabase.h"
#include <map>
#include <memory>

namespace evenkeel {

/// Immutable once loaded, so safe to read from several threads.
class CommandTable : public clang::tooling::CompilationDatabase {
  std::vector<clang::tooling::CompileCommand> All; // directories are absolute
  std::multimap<std::string, size_t> ByFile;       // canonical path

public:
  /// Null, with a \p Message, if \p Path cannot be read as a database.
  static std::unique_ptr<CommandTable> load(const std::string &Path,
                                            std::string &Message);

  /// In the database's order, translated for clang (CompilerWords.h).
  std::vector<clang::tooling::CompileCommand>
  getCompileCommands(llvm::StringRef File) const override;
  std::vector<std::string> getAllFiles() const override;
  std::vector<clang::tooling::CompileCommand>
  getAllCompileCommands() const override {
    return All;
  }
};

} // namespace evenkeel

#endif
