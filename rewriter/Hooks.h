//===- Hooks.h - sync points: where tasks wait ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which OpenMP directives make tasks wait, who reaches the statement
// behind them, and where the hook goes so that it runs after the wait and only
// then.
// Leaves out: regions, allocation, identity.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_HOOKS_H
#define EVENKEEL_REWRITER_HOOKS_H

#include "Unit.h"

namespace evenkeel {

class Hooks {
  Unit &U;

  void noteInline(const clang::OMPExecutableDirective *D);

public:
  explicit Hooks(Unit &U) : U(U) {}
  /// \p D is on top of the unit's statements, but not among its directives.
  void directive(const clang::OMPExecutableDirective *D);
};

/// Makes the edits that bracket each execution of the statement of \p D by
/// ek_region_begin and ek_region_end, or leaves the region as `no-task-time`.
/// \p D is on top of the unit's statements.
std::function<void(Pending &)>
regionEdits(Unit &U, const clang::OMPExecutableDirective *D);

} // namespace evenkeel

#endif
