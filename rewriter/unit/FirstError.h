//===- FirstError.h - diagnostics reduced to the first error ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one-line reason why a parse failed, relative to the project's
// root.
// Not here: warnings, notes, and all errors but the first.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_FIRSTERROR_H
#define EVENKEEL_REWRITER_FIRSTERROR_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace evenkeel {

/// Stores the first error and prints nothing. Both strings must outlive it.
class FirstErrorConsumer : public clang::DiagnosticConsumer {
  std::string &First;
  const std::string &Root;

public:
  FirstErrorConsumer(std::string &First, const std::string &Root)
      : First(First), Root(Root) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
};

/// The text of \p Info after its place, which is relative to \p Root if it is
/// below.
std::string oneLine(const clang::Diagnostic &Info, const std::string &Root);

} // namespace evenkeel

#endif
