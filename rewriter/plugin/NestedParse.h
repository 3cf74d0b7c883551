//===- NestedParse.h - a unit parsed beside its compilation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to parse the unit that a compiler is about to parse, in an
// instance of its own: same invocation, same target, same file manager, the
// same bytes of the main file (also those of standard input), but no output,
// no warnings, and no bodies of functions in system headers.
// Makes: what the engine finds in it, merged and with its edits, and the edited
// texts of its files.
// Not here: what becomes of the texts (Plugin.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H
#define EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H

#include "EditedUnit.h"
#include "walk/Collect.h"

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// Parses the unit of \p Outer, whose source manager already has its main file
/// and nothing else. Leaves \p Outer as it is, but for its file manager, which
/// knows more files afterwards. \p Name is the
/// unit's in its note. Not thread-safe for one \p Outer.
EditedUnit parseBeside(clang::CompilerInstance &Outer,
                       const CollectOptions &Options, const std::string &Name);

} // namespace evenkeel

#endif
