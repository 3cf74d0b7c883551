//===- NestedParse.h - a unit parsed beside its compilation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to parse the unit of a compilation in a second compiler instance
// before the compiler parses it: same invocation, target, file manager and
// bytes of the main file (also from standard input), but without output,
// warnings, and function bodies in system headers.
// Makes: the findings in the unit, merged, and the edited texts of its files.
// Not here: how the texts are used (Plugin.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H
#define EVENKEEL_REWRITER_PLUGIN_NESTEDPARSE_H

#include "EditedUnit.h"
#include "walk/Collect.h"

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// Parses the unit of \p Outer, whose source manager must have read only its
/// main file. \p Outer is unchanged, except that its file manager knows more
/// files. \p Name is the unit's name in its note. Not thread-safe for one \p
/// Outer.
EditedUnit parseBeside(clang::CompilerInstance &Outer,
                       const CollectOptions &Options, const std::string &Name);

} // namespace evenkeel

#endif
