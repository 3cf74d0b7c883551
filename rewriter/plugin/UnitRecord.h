//===- UnitRecord.h - how a unit was compiled, in its object ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the compiler wrapper says of the command (format/builds/
// BuildNote.h), and which files the unit reads.
// Makes: the unit's line in its object file, whether or not it is rewritten.
// Not here: text that comes from a pipe, which nobody could compile again, and
// compilers that were not started by the wrapper: they leave no line.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_UNITRECORD_H
#define EVENKEEL_REWRITER_PLUGIN_UNITRECORD_H

#include <memory>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

class UnitRecord {
  std::shared_ptr<std::string> Assembly;

public:
  /// For code for devices, and for compilations that make no code: records
  /// nothing.
  UnitRecord() = default;
  /// Prepares the code that \p CI makes, which must not have begun. Without
  /// effect if the wrapper said nothing.
  explicit UnitRecord(clang::CompilerInstance &CI);
  /// At the end of the parse: hashes the files that were read.
  void finish(clang::CompilerInstance &CI) const;
};

} // namespace evenkeel

#endif
