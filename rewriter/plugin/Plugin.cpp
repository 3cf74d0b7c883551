//===- Plugin.cpp - EvenkeelRewrite.so, rewriting while compiling ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when Clang has made a unit's consumers, and before it parses, the
// engine reads the unit in an instance of its own (NestedParse); the edited
// texts then take the place of the files in the compiler's memory. The compiler
// goes on under the original names: line numbers, dependency files, debug
// information and diagnostics are those of the user's files. Its own parse
// checks the result (Gate).
// Leaves out: compilations without code as their result (-E, -fsyntax-only,
// precompiled headers, modules), devices, languages other than C and C++.
// Those are compiled as they are.
//===----------------------------------------------------------------------===//
#include "Gate.h"
#include "NestedParse.h"
#include "PlanShares.h"
#include "Settings.h"
#include "UnitNote.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <ctime>

using namespace clang;
using namespace evenkeel;

/// Not a diagnostic of Clang: -Werror would make it one that fails the build.
static void warn(const Settings &S, const std::string &Unit,
                 const std::string &Reason, const std::string &Detail) {
  if (S.Quiet)
    return;
  llvm::errs() << "evenkeel: warning: " << Unit << " is compiled as it is ("
               << Reason << ")" << (Detail.empty() ? "" : ": ") << Detail
               << '\n';
}

/// Whether code comes out of the compilation, for the host.
static bool makesHostCode(CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    break;
  default:
    return false;
  }
  const LangOptions &LO = CI.getLangOpts();
  return !LO.ObjC && !LO.OpenCL && !LO.CUDA && !LO.HIP && !LO.HLSL &&
         !LO.OpenMPIsTargetDevice;
}

/// Lets the file's edited text take its place. \p Old belongs to \p SM, which
/// has read nothing but the main file.
static void putInPlace(SourceManager &SM, EditedBuffer &E) {
  FileID Main = SM.getMainFileID();
  bool IsMain = SM.getFileEntryRefForID(Main) == E.File;
  SrcMgr::CharacteristicKind Kind = SrcMgr::C_User;
  if (IsMain) {
    // Its space among the source locations is as large as the old text: start
    // over.
    Kind = SM.getFileCharacteristic(SM.getLocForStartOfFile(Main));
    SM.clearIDTables();
  }
  SM.overrideFileContents(E.File, std::move(E.Text));
  if (IsMain)
    SM.setMainFileID(SM.createFileID(E.File, SourceLocation(), Kind));
}

namespace {

/// Opens the gate once the parse is over.
class EndOfParse : public ASTConsumer {
  Gate *G;

public:
  explicit EndOfParse(Gate *G) : G(G) {}
  void HandleTranslationUnit(ASTContext &) override {
    if (G)
      G->open();
  }
};

class RewriteAction : public PluginASTAction {
  Settings S;

public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Arguments) override {
    std::string Problem;
    if (S.read(Arguments, Problem))
      return true;
    DiagnosticsEngine &D = CI.getDiagnostics();
    D.Report(D.getCustomDiagID(DiagnosticsEngine::Error, "EvenkeelRewrite: %0"))
        << Problem;
    return false;
  }

  /// \p Source is what line markers of a preprocessed file call its origin.
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef Source) override {
    return std::make_unique<EndOfParse>(rewrite(CI, Source.str()));
  }

private:
  /// The gate before the diagnostics of \p CI; null when its unit is compiled
  /// as it is.
  Gate *rewrite(CompilerInstance &CI, const std::string &Source) {
    if (S.Off || isTakingBack() || !makesHostCode(CI) ||
        CI.getFrontendOpts().Inputs.size() != 1 ||
        CI.getDiagnostics().hasErrorOccurred())
      return nullptr;
    SourceManager &SM = CI.getSourceManager();
    OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
    if (!Main)
      return nullptr;
    CollectOptions Options;
    Options.OneConfiguration = true;
    Options.Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
    std::string Unit = Options.Preprocessed ? Source : Main->getName().str();
    Options.Root = S.rootFor(Unit, directory(CI));
    Options.NamedWrappers = S.Wrappers;
    PlanShares Shares;
    if (!S.Plan.empty()) {
      evenkeel::Expected<PlanShares> Read = readPlanShares(S.Plan);
      if (!Read) {
        DiagnosticsEngine &D = CI.getDiagnostics();
        D.Report(D.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
            << Read.message();
        return nullptr;
      }
      Shares = *Read;
      usePlan(Shares, Options);
    }
    auto Original = std::make_shared<CompilerInvocation>(CI.getInvocation());
    NestedResult R;
    if (Options.Preprocessed && CI.getLangOpts().CPlusPlus) {
      // <new>, which our header needs, may be in the text already.
      R.Refused = "preprocessed";
      R.Detail = "give the compiler the source itself";
    } else if (!findHeader(CI)) {
      R.Refused = "no-header";
      R.Detail =
          "evenkeel/ek.h is not beside the plugin; install all of Evenkeel";
    } else {
      llvm::TimeTraceScope Trace("Evenkeel");
      std::clock_t Start = std::clock();
      // On a stack of its own, for code that nests deeper than Clang's own
      // walks go; a crash of ours is no crash of the compiler.
      llvm::CrashRecoveryContext::Enable();
      llvm::CrashRecoveryContext Safe;
      if (!Safe.RunSafelyOnThread([&] { R = parseBeside(CI, Options); },
                                  64u << 20)) {
        R = NestedResult();
        R.Refused = "internal-error";
        R.Detail = "please report it, with this source";
      }
      R.CpuSeconds = double(std::clock() - Start) / CLOCKS_PER_SEC;
    }
    if (S.Time)
      llvm::errs() << llvm::formatv("evenkeel: {0}: second parse {1:f4} s\n",
                                    Unit, R.CpuSeconds);
    if (R.Refused == "errors")
      return nullptr; // the user's own, and about to be printed
    if (!R.Refused.empty())
      warn(S, Unit, R.Refused, R.Detail);
    return compileEdited(CI, *Main, Unit, Options, R, Original);
  }

  /// Gives \p CI the edited texts and the unit's note.
  Gate *compileEdited(CompilerInstance &CI, FileEntryRef Main,
                      const std::string &Unit, const CollectOptions &Options,
                      NestedResult &R,
                      std::shared_ptr<CompilerInvocation> Original) {
    SourceManager &SM = CI.getSourceManager();
    const std::string &Root = Options.Root;
    const std::string File = Main.getName().str();
    if (R.Found.Findings.empty() && R.Refused.empty())
      return nullptr;
    if (takesNote(CI)) {
      std::string Name = relativeTo(canonicalPath(Unit, directory(CI)), Root);
      if (Name.empty())
        Name = Unit;
      std::string Old = SM.getBufferData(SM.getMainFileID()).str();
      auto It = std::find_if(R.Files.begin(), R.Files.end(),
                             [&](EditedBuffer &E) { return E.File == Main; });
      std::string New = It == R.Files.end() ? Old : It->Text->getBuffer().str();
      New += noteAsSource(Name, R.Found, R.Refused);
      if (Options.Preprocessed)
        New = predefined(CI.getTarget(), File) + New;
      auto Text = llvm::MemoryBuffer::getMemBufferCopy(New, File);
      if (It == R.Files.end())
        R.Files.push_back({Main, std::move(Text)});
      else
        It->Text = std::move(Text);
      if (File != "<stdin>") // no file to remap
        Original->getPreprocessorOpts().addRemappedFile(
            File,
            llvm::MemoryBuffer::getMemBufferCopy(
                Old + noteAsSource(Name, Merged(), "would-not-compile"), File)
                .release());
    }
    if (R.Files.empty())
      return nullptr;
    for (EditedBuffer &E : R.Files)
      putInPlace(SM, E);
    return &Gate::install(CI, std::move(Original), Root,
                          [S = S, Unit](const std::string &Error) {
                            warn(S, Unit, "would-not-compile", Error);
                          });
  }

  /// The macros that our header asks for; preprocessed text has none.
  static std::string predefined(const TargetInfo &Target,
                                const std::string &File) {
    std::string Size = TargetInfo::getTypeName(Target.getSizeType());
    std::string Id = TargetInfo::getTypeName(Target.getUInt64Type());
    return "#define __GNUC__ 4\n#define __SIZE_TYPE__ " + Size +
           "\n#define __UINT64_TYPE__ " + Id + "\n# 1 \"" + File + "\"\n";
  }

  static std::string directory(CompilerInstance &CI) {
    auto Dir = CI.getVirtualFileSystem().getCurrentWorkingDirectory();
    return Dir ? *Dir : "/";
  }

  /// Whether the object can have a section of our own.
  static bool takesNote(CompilerInstance &CI) {
    return CI.getLangOpts().GNUAsm &&
           CI.getTarget().getTriple().isOSBinFormatELF();
  }

  /// Puts the folder of evenkeel/ek.h behind all others that \p CI searches.
  bool findHeader(CompilerInstance &CI) {
    std::string Folder = S.headerFolder();
    if (Folder.empty())
      return false;
    auto FE = CI.getFileManager().getOptionalDirectoryRef(Folder);
    if (!FE)
      return false;
    CI.getPreprocessor().getHeaderSearchInfo().AddSystemSearchPath(
        DirectoryLookup(*FE, SrcMgr::C_System, /*isFramework=*/false));
    return true;
  }
};

} // namespace

static FrontendPluginRegistry::Add<RewriteAction>
    Registration("EvenkeelRewrite", "annotate allocations and sync points");
