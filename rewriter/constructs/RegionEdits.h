//===- RegionEdits.h - text around what tasks execute -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the edits that enclose each execution of a construct's statement in
// ek_region_begin and ek_region_end, and those that acquire a task's data
// before it and release it after it. What a task needs is evaluated before the
// directive, as its clauses are, and handed to the task as a private array.
// Not here: which directives have tasks (Regions), and which data they need
// (tasks/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_REGIONEDITS_H
#define EVENKEEL_REWRITER_REGIONEDITS_H

#include "unit/Unit.h"

namespace evenkeel {

/// Returns a function that makes the edits that enclose each execution of the
/// statement of \p D in ek_region_begin and ek_region_end, or leaves the region
/// (`no-task-time`). With \p Needs, initialisers of ek_need, each execution
/// also acquires these (\p D is a task). \p D must be on top of the unit's
/// statement stack.
std::function<void(Pending &)>
regionEdits(Unit &U, const clang::OMPExecutableDirective *D,
            std::vector<std::string> Needs = {});

/// The same for a directive whose code runs elsewhere while the thread waits
/// for it: its data is acquired before it and released after it.
std::function<void(Pending &)>
acquireAround(Unit &U, const clang::OMPExecutableDirective *D,
              std::vector<std::string> Needs);

} // namespace evenkeel

#endif
