//===- Gate.cpp - a compilation that can be repeated ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Gate.h.
//===----------------------------------------------------------------------===//
#include "Gate.h"
#include "unit/FirstError.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/Support/raw_ostream.h"

namespace evenkeel {
using namespace clang;

static thread_local std::optional<Gate::Again> Second;

std::optional<Gate::Again> secondCompilation() { return Second; }

Gate &Gate::install(CompilerInstance &CI,
                    std::shared_ptr<CompilerInvocation> Original,
                    const std::string &Root, Report TakenBack) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  auto *G = new Gate(CI, std::move(Original), Root, std::move(TakenBack));
  G->Behind = Diags.getClient();
  if (Diags.ownsClient())
    G->Owned = Diags.takeClient();
  Diags.setClient(G, /*ShouldOwnClient=*/true);
  return *G;
}

void Gate::redo(CompilerInstance &CI,
                std::shared_ptr<CompilerInvocation> Original, Again How) {
  Gate &G = install(CI, std::move(Original), "", [](const std::string &) {});
  G.Held = "compiled again";
  G.How = How;
}

void Gate::HandleDiagnostic(DiagnosticsEngine::Level Level,
                            const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (!Open && Held.empty() && Level >= DiagnosticsEngine::Error) {
    Held = oneLine(Info, Root);
    return;
  }
  if (Held.empty())
    Behind->HandleDiagnostic(Level, Info);
}

void Gate::BeginSourceFile(const LangOptions &LO, const Preprocessor *PP) {
  Behind->BeginSourceFile(LO, PP);
}

void Gate::clear() {
  DiagnosticConsumer::clear();
  Behind->clear();
}

void Gate::EndSourceFile() {
  Behind->EndSourceFile();
  if (Held.empty())
    return;
  // The outputs of the rewritten unit are removed first: both compilations
  // write to the same files.
  CI.clearOutputFiles(/*EraseFiles=*/true);
  CompilerInstance Again(CI.getPCHContainerOperations());
  Again.setInvocation(Original);
  Behind->clear();
  // The outer compilation prints the number of warnings.
  Again.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  Again.createDiagnostics(Behind, /*ShouldOwnClient=*/false);
  Second = How;
  bool Ok = false;
  if (std::unique_ptr<FrontendAction> Action = CreateFrontendAction(Again))
    Ok = Again.ExecuteAction(*Action);
  Second.reset();
  CI.getDiagnostics().Reset(/*soft=*/true);
  NumWarnings = Behind->getNumWarnings();
  NumErrors = Behind->getNumErrors();
  if (Ok)
    TakenBack(Held);
  else if (NumErrors == 0)
    NumErrors = 1;
}

} // namespace evenkeel
