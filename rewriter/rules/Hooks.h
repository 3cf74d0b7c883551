//===- Hooks.h - sync points of OpenMP --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which OpenMP directives make tasks wait, and which threads reach the
// statement after them.
// Not here: the text of the hook (HookEdits), regions, allocation, identity.
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
  /// \p D is on top of the statement stack, but not yet on that of directives.
  void directive(const clang::OMPExecutableDirective *D) override;
};

} // namespace evenkeel

#endif
