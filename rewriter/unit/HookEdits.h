//===- HookEdits.h - where a directive's hook and brackets go ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text edits that put a hook behind an OpenMP construct, so that it
// runs after the wait and only then, and brackets around what its tasks
// execute; in every configuration in which the directive is there, and in no
// other where that would matter.
// Not here: which directives wait (Hooks) and have tasks (Regions).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_HOOKEDITS_H
#define EVENKEEL_REWRITER_HOOKEDITS_H

#include "unit/Unit.h"

namespace evenkeel {

/// Makes the edits of the hook behind \p D, which is on top of the unit's
/// statements, or skips the sync point.
std::function<void(Pending &)>
hookEdits(Unit &U, const clang::OMPExecutableDirective *D);

/// Makes the edits of the hook behind \p S, the statement of a directive at
/// \p Begin that the AST has not. \p S is about to go on top of the statements.
std::function<void(Pending &)> hookEdits(Unit &U, clang::SourceLocation Begin,
                                         const clang::Stmt *S);

/// Makes the edits that bracket each execution of the statement of \p D by
/// ek_region_begin and ek_region_end, or leaves the region as `no-task-time`.
/// \p D is on top of the unit's statements.
std::function<void(Pending &)>
regionEdits(Unit &U, const clang::OMPExecutableDirective *D);

} // namespace evenkeel

#endif
