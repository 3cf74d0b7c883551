//===- FirstError.h - diagnostics reduced to the first error ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a parse that nobody asked for says why it failed: one line,
// relative to the project's root.
// Not here: warnings, notes, and all errors but the first.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_FIRSTERROR_H
#define EVENKEEL_REWRITER_FIRSTERROR_H

#include "clang/Basic/Diagnostic.h"
#include <string>

namespace evenkeel {

/// Prints nothing. Both strings must outlive it.
class FirstErrorConsumer : public clang::DiagnosticConsumer {
  std::string &First;
  const std::string &Root;

public:
  FirstErrorConsumer(std::string &First, const std::string &Root)
      : First(First), Root(Root) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
};

/// The text of \p Info behind its place, relative to \p Root where it lies
/// below.
std::string oneLine(const clang::Diagnostic &Info, const std::string &Root);

} // namespace evenkeel

#endif
