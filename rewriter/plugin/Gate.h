//===- Gate.h - a compilation that can be repeated --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the compiler's own parse checks a rewritten unit. Errors are held back
// until the parse is over. If there was one, the unit is compiled again as it
// was written, in the same process, and only that compilation's diagnostics,
// outputs and status count. A unit whose first compilation cannot be used for
// other reasons is compiled again in the same way.
// Not here: units without changes; they have no gate.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_GATE_H
#define EVENKEEL_REWRITER_PLUGIN_GATE_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

class Gate : public clang::DiagnosticConsumer {
public:
  /// Called after a successful second compilation with the first error of the
  /// rewritten unit.
  using Report = std::function<void(const std::string &)>;

  /// Installs a gate before the diagnostics of \p CI, which then owns it. \p
  /// Original compiles the unit without edits.
  static Gate &install(clang::CompilerInstance &CI,
                       std::shared_ptr<clang::CompilerInvocation> Original,
                       const std::string &Root, Report TakenBack);

  /// How a unit is compiled a second time.
  enum class Again {
    AsWritten,
    Beside ///< rewritten, after a parse of all of it (NestedParse)
  };

  /// Holds back everything from \p CI: once it has read the unit, the unit is
  /// compiled as \p Original, in the way \p How.
  static void redo(clang::CompilerInstance &CI,
                   std::shared_ptr<clang::CompilerInvocation> Original,
                   Again How);

  /// Call when the parse is over: if there was no error, diagnostics pass from
  /// now on.
  void open() { Open = Held.empty(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
  void BeginSourceFile(const clang::LangOptions &LO,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void finish() override { Behind->finish(); }
  void clear() override;
  bool IncludeInDiagnosticCounts() const override {
    return Behind->IncludeInDiagnosticCounts();
  }

private:
  Gate(clang::CompilerInstance &CI,
       std::shared_ptr<clang::CompilerInvocation> Original,
       const std::string &Root, Report TakenBack)
      : CI(CI), Original(std::move(Original)), Root(Root),
        TakenBack(std::move(TakenBack)) {}

  clang::CompilerInstance &CI;
  std::shared_ptr<clang::CompilerInvocation> Original;
  std::string Root;
  Report TakenBack;
  clang::DiagnosticConsumer *Behind = nullptr;
  std::unique_ptr<clang::DiagnosticConsumer> Owned; // Behind, or null
  std::string Held; // the first error; later ones are dropped
  Again How = Again::AsWritten;
  bool Open = false;
};

/// The kind of second compilation that runs in this thread, if any.
std::optional<Gate::Again> secondCompilation();

} // namespace evenkeel

#endif
