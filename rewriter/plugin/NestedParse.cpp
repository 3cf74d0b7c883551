//===- NestedParse.cpp - a unit parsed beside its compilation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NestedParse.h. The compiler instance is set up by hand, because a
// frontend action would run all loaded plugins, including this one.
//===----------------------------------------------------------------------===//
#include "NestedParse.h"
#include "edits/Paths.h"
#include "unit/FirstError.h"
#include "unit/SystemHeaders.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclBase.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Parse/ParseAST.h"
#include "llvm/Support/MemoryBuffer.h"

namespace evenkeel {
using namespace clang;

namespace {
struct SkipSystemBodies : ASTConsumer {
  const SourceManager &SM;
  const HeaderSearch &Headers;
  explicit SkipSystemBodies(const Preprocessor &PP)
      : SM(PP.getSourceManager()), Headers(PP.getHeaderSearchInfo()) {}
  /// System headers are never edited. Clang keeps the bodies that it needs for
  /// constant expressions and deduced types.
  bool shouldSkipFunctionBody(Decl *D) override {
    return isInSystemHeader(SM, Headers, SM.getExpansionLoc(D->getLocation()));
  }
};
} // namespace

static std::shared_ptr<CompilerInvocation>
quietInvocation(const CompilerInvocation &Outer) {
  auto Invocation = std::make_shared<CompilerInvocation>(Outer);
  Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  DiagnosticOptions &Diags = Invocation->getDiagnosticOpts();
  Diags.IgnoreWarnings = true; // left to the build
  Diags.Warnings.clear();      // also -Werror
  Diags.VerifyDiagnostics = false;
  Diags.DiagnosticLogFile.clear();
  Diags.DiagnosticSerializationFile.clear();
  FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.OutputFile.clear();
  Frontend.ShowStats = false;
  return Invocation;
}

/// Gives \p Nested the text of the main file in \p Outer: standard input can be
/// read only once.
static bool shareMainFile(CompilerInstance &Outer, CompilerInstance &Nested) {
  SourceManager &From = Outer.getSourceManager();
  SourceManager &To = Nested.getSourceManager();
  OptionalFileEntryRef Main = From.getFileEntryRefForID(From.getMainFileID());
  if (!Main)
    return false;
  std::optional<llvm::MemoryBufferRef> Text =
      From.getMemoryBufferForFileOrNone(*Main);
  if (!Text)
    return false;
  To.overrideFileContents(*Main, *Text);
  To.setMainFileID(
      To.createFileID(*Main, SourceLocation(),
                      From.getFileCharacteristic(
                          From.getLocForStartOfFile(From.getMainFileID()))));
  return true;
}

/// Files of a precompiled header: they are parsed already, so the compiler
/// would not see edits.
static std::set<std::string> precompiledFiles(const SourceManager &SM,
                                              const std::string &Directory) {
  std::set<std::string> Files;
  for (unsigned I = 0; I < SM.loaded_sloc_entry_size(); ++I) {
    bool Invalid = false;
    const SrcMgr::SLocEntry &E = SM.getLoadedSLocEntry(I, &Invalid);
    if (!Invalid && E.isFile())
      if (OptionalFileEntryRef FE = E.getFile().getContentCache().OrigEntry)
        Files.insert(canonicalPath(FE->getName().str(), Directory));
  }
  return Files;
}

static void refusePrecompiled(UnitResult &R,
                              const std::set<std::string> &Files) {
  for (Finding &F : R.Findings)
    if (F.What == Finding::State::Rewritten && Files.count(F.File)) {
      F.What = Finding::State::Skipped;
      F.Reason = "precompiled-header";
      F.Edits.clear();
    }
}

EditedUnit parseBeside(CompilerInstance &Outer, const CollectOptions &Options,
                       const std::string &Name) {
  UnitResult Unit;
  FirstErrorConsumer Errors(Unit.FirstError, Options.Root);
  CompilerInstance Nested(Outer.getPCHContainerOperations());
  Nested.setInvocation(quietInvocation(Outer.getInvocation()));
  Nested.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  if (!Nested.createTarget())
    return refuse(Refusal::Target);
  Nested.setFileManager(&Outer.getFileManager());
  Nested.createSourceManager(Nested.getFileManager());
  Nested.createPreprocessor(TU_Complete);
  Preprocessor &PP = Nested.getPreprocessor();
  SourceManager &SM = Nested.getSourceManager();
  Errors.BeginSourceFile(Nested.getLangOpts(), &PP);
  if (!shareMainFile(Outer, Nested))
    return refuse(Refusal::Unreadable);

  QuotedText Quoted;
  PP.addPPCallbacks(std::make_unique<QuotedTextCallbacks>(SM, Quoted));
  Nested.setASTConsumer(std::make_unique<SkipSystemBodies>(PP));
  Nested.createASTContext();
  const PreprocessorOptions &PPOpts = Nested.getPreprocessorOpts();
  if (!PPOpts.ImplicitPCHInclude.empty()) {
    Nested.createPCHExternalASTSource(PPOpts.ImplicitPCHInclude,
                                      PPOpts.DisablePCHOrModuleValidation,
                                      PPOpts.AllowPCHWithCompilerErrors,
                                      /*DeserializationListener=*/nullptr,
                                      /*OwnDeserializationListener=*/false);
    if (!Nested.getASTContext().getExternalSource())
      return refuse(Refusal::PrecompiledHeader, Unit.FirstError);
  } else {
    PP.getBuiltinInfo().initializeBuiltins(PP.getIdentifierTable(),
                                           Nested.getLangOpts());
  }
  Nested.createSema(TU_Complete, nullptr);
  ParseAST(Nested.getSema(), /*PrintStats=*/false,
           /*SkipFunctionBodies=*/true);
  PP.EndSourceFile();
  Errors.EndSourceFile();
  if (!Unit.FirstError.empty())
    return refuse(Refusal::Errors, Unit.FirstError);

  collectUnit(Nested.getASTContext(), PP.getHeaderSearchInfo(), Options, Quoted,
              Unit);
  if (!PPOpts.ImplicitPCHInclude.empty())
    refusePrecompiled(Unit, precompiledFiles(SM, workingDirectory(SM)));
  return editsOf(SM, std::move(Unit), Name);
}

} // namespace evenkeel
