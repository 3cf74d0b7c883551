//===- Plugin.cpp - EvenkeelRewrite.so, rewriting while compiling ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rewriter reads the unit before the compiler does: from the first
// text of the project on (ReadAhead) or, if that is impossible, as a whole in a
// second instance (NestedParse). The edited texts then replace the files in the
// compiler's memory, under the original names, so line numbers, dependency
// files, debug information and diagnostics are those of the user's files. The
// compiler's own parse checks the result (Gate).
// Not here: compilations that make no code (-E, -fsyntax-only, precompiled
// headers, modules), code for devices, and languages other than C and C++. They
// are compiled without edits.
//===----------------------------------------------------------------------===//
#include "CountingCode.h"
#include "Gate.h"
#include "NestedParse.h"
#include "ReadAhead.h"
#include "Settings.h"
#include "SoleBlocks.h"
#include "UnitRecord.h"
#include "WrapperLinks.h"
#include "edits/LineName.h"
#include "edits/Paths.h"
#include "report/UnitNote.h"
#include "unit/PlanShares.h"
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

/// Not a Clang diagnostic: with -Werror, that would fail the build.
static void warn(const Settings &S, const std::string &Unit, Refusal Reason,
                 const std::string &Detail) {
  if (S.Quiet)
    return;
  llvm::errs() << "evenkeel: warning: " << Unit << " is compiled as it is ("
               << refusalName(Reason) << ")" << (Detail.empty() ? "" : ": ")
               << Detail << '\n';
}

/// Whether the compilation makes code for the host.
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

/// Replaces a file's text by the edited text. \p Old belongs to \p SM, which
/// has read only the main file.
static void putInPlace(SourceManager &SM, EditedBuffer &E) {
  FileID Main = SM.getMainFileID();
  bool IsMain = SM.getFileEntryRefForID(Main) == E.File;
  SrcMgr::CharacteristicKind Kind = SrcMgr::C_User;
  if (IsMain) {
    // Source locations reserve space for the old text only, so start over.
    Kind = SM.getFileCharacteristic(SM.getLocForStartOfFile(Main));
    SM.clearIDTables();
  }
  SM.overrideFileContents(E.File, std::move(E.Text));
  if (IsMain)
    SM.setMainFileID(SM.createFileID(E.File, SourceLocation(), Kind));
}

namespace {

/// The state of one compilation.
struct Compilation {
  CompilerInstance &CI;
  Settings S;
  FileEntryRef Main;
  std::string Unit; // as on the command line
  std::string Name; // in its note
  CollectOptions Options;
  PlanShares Shares;
  /// Compiles the unit as it was written.
  std::shared_ptr<CompilerInvocation> Original;
  std::unique_ptr<ReadAhead> Ahead;
  std::shared_ptr<LinkedWrappers> Linked; // the calls to instrument in the code
  std::shared_ptr<std::vector<CountedLoop>> Loops; // the loops to count there
  Gate *G = nullptr; // null if the unit is compiled without edits

  Compilation(CompilerInstance &CI, const Settings &S, FileEntryRef Main)
      : CI(CI), S(S), Main(Main) {}

  void use(EditedUnit U);

private:
  void addNote(EditedUnit &U, llvm::StringRef Old);
  void readAgain(std::shared_ptr<CompilerInvocation> Invocation,
                 bool ReadsHeader);
  std::string predefined() const;
  void giveAgain(const std::string &Text);

  /// Standard input can be read only once.
  std::unique_ptr<llvm::MemoryBuffer> StandardInput;
};

/// Runs before the compiler's own consumers and opens the gate after the parse.
class EndOfParse : public ASTConsumer {
  CompilerInstance &CI;
  std::shared_ptr<Compilation> C;
  UnitRecord Record;

public:
  EndOfParse(CompilerInstance &CI, std::shared_ptr<Compilation> C,
             UnitRecord Record)
      : CI(CI), C(std::move(C)), Record(std::move(Record)) {}

  void Initialize(ASTContext &) override {
    // The compiler is installing this consumer; now ReadAhead's can go before
    // it.
    if (C && C->Ahead)
      C->CI.setASTConsumer(C->Ahead->before(C->CI.takeASTConsumer()));
  }
  void HandleTranslationUnit(ASTContext &) override {
    Record.finish(CI);
    if (C && C->G)
      C->G->open();
  }
};

} // namespace

/// Whether the object format can have the section of our note.
static bool takesNote(CompilerInstance &CI) {
  return CI.getLangOpts().GNUAsm &&
         CI.getTarget().getTriple().isOSBinFormatELF();
}

/// The macros that our header requires; preprocessed text has none.
std::string Compilation::predefined() const {
  const TargetInfo &Target = CI.getTarget();
  std::string Size = TargetInfo::getTypeName(Target.getSizeType());
  std::string Id = TargetInfo::getTypeName(Target.getUInt64Type());
  return "#define __GNUC__ 4\n#define __SIZE_TYPE__ " + Size +
         "\n#define __UINT64_TYPE__ " + Id + "\n" +
         lineDirective(1, Main.getName().str()) + "\n";
}

/// Replaces the main file's text in Original by \p Text.
void Compilation::giveAgain(const std::string &Text) {
  const std::string File = Main.getName().str();
  auto Buffer = llvm::MemoryBuffer::getMemBufferCopy(Text, File);
  if (File != "<stdin>") {
    Original->getPreprocessorOpts().addRemappedFile(File, Buffer.release());
    return;
  }
  FrontendInputFile &Input = Original->getFrontendOpts().Inputs[0];
  Input = FrontendInputFile(Buffer->getMemBufferRef(), Input.getKind());
  StandardInput = std::move(Buffer);
}

/// Appends the unit's note to its main file, whose text was \p Old; also if the
/// unit is compiled without edits in the end.
void Compilation::addNote(EditedUnit &U, llvm::StringRef Old) {
  const std::string File = Main.getName().str();
  auto It = std::find_if(U.Files.begin(), U.Files.end(),
                         [&](EditedBuffer &E) { return E.File == Main; });
  llvm::StringRef Text = It == U.Files.end() ? Old : It->Text->getBuffer();
  std::string New =
      (Text + (U.Refused == Refusal::None
                   ? U.Note
                   : noteAsSource(Name, Merged(), refusalName(U.Refused))))
          .str();
  if (Options.Preprocessed)
    New = predefined() + New;
  auto Noted = llvm::MemoryBuffer::getMemBufferCopy(New, File);
  if (It == U.Files.end())
    U.Files.push_back({Main, std::move(Noted)});
  else
    It->Text = std::move(Noted);
  giveAgain(Old.str() + noteAsSource(Name, Merged(),
                                     refusalName(Refusal::WouldNotCompile)));
}

/// Reading ahead failed: the unit is compiled again, with a nested parse of all
/// of it. This compilation writes the dependency file.
void Compilation::readAgain(std::shared_ptr<CompilerInvocation> Invocation,
                            bool ReadsHeader) {
  Ahead->mute();
  std::vector<EditedBuffer> None;
  Ahead->place(None, ReadsHeader);
  Gate::redo(CI, std::move(Invocation), Gate::Again::Beside);
}

/// Passes the edited texts to the compiler.
void Compilation::use(EditedUnit U) {
  if (S.Time)
    llvm::errs() << llvm::formatv("evenkeel: {0}: second parse {1:f4} s\n",
                                  Unit, U.CpuSeconds);
  SourceManager &SM = CI.getSourceManager();
  if (U.Refused == Refusal::Errors) { // about to be printed
    // Warnings at the end of a file must not show the padding after it.
    if (Ahead && CI.getDiagnosticClient().getNumWarnings() == 0) {
      Ahead->mute();
      Gate::redo(CI, Original, Gate::Again::AsWritten);
    }
    return;
  }
  if (U.Refused == Refusal::CopyFailed)
    return readAgain(Original, /*ReadsHeader=*/true);
  if (U.Refused != Refusal::None)
    warn(S, Unit, U.Refused, U.Detail);
  if (!U.Anything && U.Refused == Refusal::None) {
    *Linked = std::move(U.Linked);
    *Loops = std::move(U.Loops);
    return;
  }
  auto Unchanged = std::make_shared<CompilerInvocation>(*Original);
  bool ReadsHeader = !U.Files.empty();
  if (takesNote(CI))
    addNote(U,
            Ahead ? Ahead->mainText() : SM.getBufferData(SM.getMainFileID()));
  else if (Main.getName() == "<stdin>")
    giveAgain(SM.getBufferData(SM.getMainFileID()).str());
  if (U.Files.empty())
    return;
  if (!Ahead) {
    for (EditedBuffer &E : U.Files)
      putInPlace(SM, E);
  } else if (!Ahead->place(U.Files, U.NeedsHeader)) {
    return readAgain(std::move(Unchanged), ReadsHeader);
  }
  *Linked = std::move(U.Linked);
  *Loops = std::move(U.Loops);
  allowRemovingSoleBlocks(CI);
  G = &Gate::install(CI, Original, Options.Root,
                     [S = S, Unit = Unit](const std::string &Error) {
                       warn(S, Unit, Refusal::WouldNotCompile, Error);
                     });
}

namespace {

class RewriteAction : public PluginASTAction {
  Settings S;

public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Arguments) override {
    std::string Problem;
    if (S.read(Arguments, Problem))
      return true;
    report(CI, "EvenkeelRewrite: " + Problem);
    return false;
  }

  /// \p Source: the original file that line markers in preprocessed text name.
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef Source) override {
    // A second compilation has a record of its own, so the first compilation's
    // command is copied without it.
    std::shared_ptr<Compilation> C = rewrite(CI, Source.str());
    return std::make_unique<EndOfParse>(
        CI, std::move(C), makesHostCode(CI) ? UnitRecord(CI) : UnitRecord());
  }

private:
  static void report(const CompilerInstance &CI, const std::string &Problem) {
    DiagnosticsEngine &D = CI.getDiagnostics();
    D.Report(D.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Problem;
  }

  /// Null if the unit is compiled without edits.
  std::shared_ptr<Compilation> rewrite(CompilerInstance &CI,
                                       const std::string &Source) {
    if (S.Off || secondCompilation() == Gate::Again::AsWritten ||
        !makesHostCode(CI) || CI.getFrontendOpts().Inputs.size() != 1 ||
        CI.getDiagnostics().hasErrorOccurred())
      return nullptr;
    SourceManager &SM = CI.getSourceManager();
    OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
    if (!Main)
      return nullptr;
    auto C = std::make_shared<Compilation>(CI, S, *Main);
    CollectOptions &Options = C->Options;
    Options.OneConfiguration = true;
    Options.Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
    C->Unit = Options.Preprocessed ? Source : Main->getName().str();
    Options.Root = S.rootFor(C->Unit, workingDirectory(SM));
    Options.Beside = S.Root.empty();
    Options.NamedWrappers = S.Wrappers;
    Options.LinkDecides = true;
    Options.CountsLoops = true;
    C->Name =
        relativeTo(canonicalPath(C->Unit, workingDirectory(SM)), Options.Root);
    if (C->Name.empty())
      C->Name = C->Unit;
    if (!S.Plan.empty()) {
      evenkeel::Expected<PlanShares> Read = readPlanShares(S.Plan);
      if (!Read) {
        report(CI, Read.message());
        return nullptr;
      }
      C->Shares = *Read;
      usePlan(C->Shares, Options);
    }
    C->Original = std::make_shared<CompilerInvocation>(CI.getInvocation());
    C->Loops = countLoops(CI); // before debug information is removed
    C->Linked = linkWrappers(CI);
    if (!findHeader(CI))
      C->use(refuse(Refusal::NoHeader,
                    "evenkeel/ek.h is not beside the plugin; "
                    "install all of Evenkeel"));
    else if (S.Whole || secondCompilation() || Options.Preprocessed ||
             !ReadAhead::isPossible(CI))
      C->use(parseSafely(CI, Options, C->Name));
    else
      C->Ahead = std::make_unique<ReadAhead>(
          CI, Options, C->Name,
          [C = C.get()](EditedUnit U) { C->use(std::move(U)); });
    return C;
  }

  static EditedUnit parseSafely(CompilerInstance &CI,
                                const CollectOptions &Options,
                                const std::string &Name) {
    llvm::TimeTraceScope Trace("Evenkeel");
    std::clock_t Start = std::clock();
    // A separate, larger stack for code that nests deeper than Clang's own
    // walks can go. If we crash, the compiler continues.
    EditedUnit U;
    llvm::CrashRecoveryContext::Enable();
    llvm::CrashRecoveryContext Safe;
    if (!Safe.RunSafelyOnThread([&] { U = parseBeside(CI, Options, Name); },
                                64u << 20))
      U = refuse(Refusal::InternalError, "please report it, with this source");
    U.CpuSeconds = double(std::clock() - Start) / CLOCKS_PER_SEC;
    return U;
  }

  /// Appends the folder of evenkeel/ek.h to the include directories of \p CI.
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
