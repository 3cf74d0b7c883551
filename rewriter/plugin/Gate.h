//===- Gate.h - a compilation that can be taken back ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: that the compiler's own parse is the check of a rewritten unit. Until
// that parse is over, errors stay behind the gate; if there was one, the unit
// is compiled once more as it was written, within the same process, and that
// compilation's diagnostics, outputs and status are the ones that count.
// A unit whose first compilation turns out to be of no use is compiled again
// in the same way.
// Not here: units that were not changed; they have no gate.
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
  /// Called after a successful second compilation, with the first error that
  /// the rewritten unit gave.
  using Report = std::function<void(const std::string &)>;

  /// Puts a gate before the diagnostics of \p CI, which owns it from then on.
  /// \p Original is how to compile the unit as it was.
  static Gate &install(clang::CompilerInstance &CI,
                       std::shared_ptr<clang::CompilerInvocation> Original,
                       const std::string &Root, Report TakenBack);

  /// How a unit is compiled a second time.
  enum class Again {
    AsWritten,
    Beside ///< rewritten, after a parse of all of it (NestedParse)
  };

  /// Lets nothing of \p CI pass: the unit is compiled as \p Original and
  /// \p How say, once \p CI has read it.
  static void redo(clang::CompilerInstance &CI,
                   std::shared_ptr<clang::CompilerInvocation> Original,
                   Again How);

  /// The parse is over and was right: everything passes from now on.
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
  std::string Held; // the first error; none later passes
  Again How = Again::AsWritten;
  bool Open = false;
};

/// Set while a second compilation runs in this thread.
std::optional<Gate::Again> secondCompilation();

} // namespace evenkeel

#endif
