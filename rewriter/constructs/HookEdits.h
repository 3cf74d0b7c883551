//===- HookEdits.h - text of a directive's hook -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the edits that put a hook after an OpenMP construct, so that it runs
// after the wait and only then. They exist in every configuration with the
// directive, and in no other where they would have an effect.
// Not here: which directives wait (Hooks); brackets of tasks (RegionEdits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_HOOKEDITS_H
#define EVENKEEL_REWRITER_HOOKEDITS_H

#include "unit/Unit.h"

namespace evenkeel {

/// Returns a function that makes the edits of the hook after \p D, or skips
/// the sync point. \p D must be on top of the unit's statement stack.
std::function<void(Pending &)>
hookEdits(Unit &U, const clang::OMPExecutableDirective *D);

/// The same for a directive at \p Begin that is not in the AST and has the
/// statement \p S, which is about to be pushed on the stack.
std::function<void(Pending &)> hookEdits(Unit &U, clang::SourceLocation Begin,
                                         const clang::Stmt *S);

} // namespace evenkeel

#endif
