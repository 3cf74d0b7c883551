//===- Hooks.h - sync points: where tasks wait ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which OpenMP directives make tasks wait, and who reaches the statement
// behind them.
// Not here: where the hook goes (HookEdits), regions, allocation, identity.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_HOOKS_H
#define EVENKEEL_REWRITER_HOOKS_H

#include "Rule.h"

namespace evenkeel {

class Hooks : public Rule {
  Unit &U;

  void noteInline(const clang::OMPExecutableDirective *D);

public:
  explicit Hooks(Unit &U) : U(U) {}
  /// \p D is on top of the unit's statements, but not among its directives.
  void directive(const clang::OMPExecutableDirective *D) override;
};

} // namespace evenkeel

#endif
