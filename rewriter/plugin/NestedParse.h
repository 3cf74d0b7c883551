//===- NestedParse.h - a unit parsed beside its compilation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to parse the unit that a compiler is about to parse, in an
// instance of its own: same invocation, same target, same file manager, the
// same bytes of the main file (also those of standard input), but no output,
// no warnings, and no bodies of functions in system headers.
// Makes: what the engine finds in it, merged and with its edits, and the edited
// texts of its files.
// Leaves out: what becomes of the texts (Plugin.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H
#define EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H

#include "Collect.h"
#include "Edits.h"
#include "clang/Basic/FileEntry.h"
#include <memory>

namespace clang {
class CompilerInstance;
}
namespace llvm {
class MemoryBuffer;
}

namespace evenkeel {

struct EditedBuffer {
  clang::FileEntryRef File; // of the file manager that both parses share
  std::unique_ptr<llvm::MemoryBuffer> Text;
};

struct NestedResult {
  Merged Found;
  std::vector<EditedBuffer> Files; // in the order of their absolute paths
  /// Named; empty when the unit can be compiled from the edited texts.
  std::string Refused;
  std::string Detail; // of Refused, for people
  double CpuSeconds = 0;
};

/// Parses the unit of \p Outer, whose source manager already has its main file
/// and nothing else. Leaves \p Outer as it is, but for its file manager, which
/// knows more files afterwards. Not thread-safe for one \p Outer.
NestedResult parseBeside(clang::CompilerInstance &Outer,
                         const CollectOptions &Options);

} // namespace evenkeel

#endif
