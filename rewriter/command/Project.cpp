//===- Project.cpp - compile database, root, parsing one unit -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Project.h. The public header evenkeel/ek.h is embedded in the program and
// offered to every parse after all other include directories, so rewritten
// sources can be checked wherever they are.
//===----------------------------------------------------------------------===//
#include "Project.h"
#include "Embedded.h" // generated: EmbeddedHeader, ClangResourceDir
#include "edits/Paths.h"
#include "format/ProjectRoot.h"
#include "unit/FirstError.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>
#include <deque>
#include <filesystem>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;
namespace fs = std::filesystem;

static const char VirtualInclude[] = "/evenkeel-include";

static std::string currentDirectory() {
  std::error_code EC;
  return fs::current_path(EC).generic_string();
}

static bool isCFamily(StringRef File) {
  StringRef E = llvm::sys::path::extension(File);
  return E == ".c" || E == ".cc" || E == ".cpp" || E == ".cxx" || E == ".c++" ||
         E == ".C" || E == ".cp" || E == ".CPP" || E == ".i" || E == ".ii";
}

static std::string firstLine(StringRef Text) {
  return Text.trim().split('\n').first.str();
}

Expected<Project> loadProject(const std::string &Build, const std::string &Root,
                              const std::vector<std::string> &Sources) {
  Project P;
  std::string Where = canonicalPath(Build, currentDirectory());
  P.Database = llvm::sys::fs::is_directory(Where)
                   ? Where + "/compile_commands.json"
                   : Where;
  if (!llvm::sys::fs::is_regular_file(P.Database))
    return Error{"no compile_commands.json in '" + Build +
                 "'; configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON or run "
                 "the build under bear"};
  std::string Message;
  P.Commands = CommandTable::load(P.Database, Message);
  if (!P.Commands)
    return Error{"cannot read the compile database in '" + Build +
                 "': " + firstLine(Message) + "; build the project again"};

  ProjectRoot Found;
  std::vector<std::string> All;
  for (const tooling::CompileCommand &C : P.Commands->getAllCompileCommands()) {
    if (!isCFamily(C.Filename)) {
      ++P.OtherLanguages;
      continue;
    }
    All.push_back(canonicalPath(C.Filename, C.Directory));
    if (llvm::sys::fs::exists(All.back()) &&
        !llvm::sys::fs::is_regular_file(All.back()))
      return Error{"cannot read '" + All.back() + "', a unit of '" +
                   P.Database + "': it is not a regular file"};
    Found.add(C.Directory, C.Filename);
  }
  std::sort(All.begin(), All.end());
  All.erase(std::unique(All.begin(), All.end()), All.end());
  if (All.empty())
    return Error{"the compile database in '" + Build +
                 "' lists no C or C++ unit; build the project again"};

  const char *Env = std::getenv("EVENKEEL_ROOT");
  std::string Wanted = !Root.empty() ? Root : Env ? Env : "";
  P.RootIsNamed = !Wanted.empty();
  P.Root =
      Wanted.empty() ? Found.get() : canonicalPath(Wanted, currentDirectory());
  while (P.Root.size() > 1 && P.Root.back() == '/')
    P.Root.pop_back();
  if (P.Root.empty())
    return Error{"the sources and '" + Build +
                 "' share no directory but /; use --root DIR"};
  if (!llvm::sys::fs::is_directory(P.Root))
    return Error{"the project root '" + Wanted +
                 "' is not a directory; check --root and EVENKEEL_ROOT"};

  if (Sources.empty()) {
    P.Units = std::move(All);
  } else {
    for (const std::string &S : Sources) {
      std::string Path = canonicalPath(S, currentDirectory());
      if (!std::binary_search(All.begin(), All.end(), Path))
        Path = canonicalPath(S, P.Root);
      if (!std::binary_search(All.begin(), All.end(), Path))
        return Error{"'" + S + "' is not in the compile database in '" + Build +
                     "'; name a source file that the build compiles"};
      P.Units.push_back(Path);
    }
    std::sort(P.Units.begin(), P.Units.end());
    P.Units.erase(std::unique(P.Units.begin(), P.Units.end()), P.Units.end());
  }
  return P;
}

namespace {

class CollectAction : public ASTFrontendAction {
  const CollectOptions *Options;
  UnitResult &Result;
  QuotedText Quoted;

  struct Consumer : ASTConsumer {
    const HeaderSearch &Headers;
    const CollectOptions *Options;
    const QuotedText &Quoted;
    UnitResult &Result;
    Consumer(const HeaderSearch &H, const CollectOptions *O,
             const QuotedText &Q, UnitResult &R)
        : Headers(H), Options(O), Quoted(Q), Result(R) {}
    void HandleTranslationUnit(ASTContext &Context) override {
      if (!Options || Context.getDiagnostics().hasErrorOccurred())
        return;
      CollectOptions Own = *Options;
      const SourceManager &SM = Context.getSourceManager();
      OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
      auto Directory = SM.getFileManager()
                           .getVirtualFileSystem()
                           .getCurrentWorkingDirectory();
      if (Own.Beside && Main && Directory)
        Own.Root = rootOfUnit(*Directory, Main->getName().str());
      collectUnit(Context, Headers, Own, Quoted, Result);
    }
  };

public:
  CollectAction(const CollectOptions *O, UnitResult &R)
      : Options(O), Result(R) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    Preprocessor &PP = CI.getPreprocessor();
    if (Options)
      PP.addPPCallbacks(
          std::make_unique<QuotedTextCallbacks>(CI.getSourceManager(), Quoted));
    return std::make_unique<Consumer>(PP.getHeaderSearchInfo(), Options, Quoted,
                                      Result);
  }
};

class CollectFactory : public tooling::FrontendActionFactory {
  const CollectOptions *Options;
  UnitResult &Result;

public:
  CollectFactory(const CollectOptions *O, UnitResult &R)
      : Options(O), Result(R) {}
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<CollectAction>(Options, Result);
  }
};

} // namespace

/// Clang's own headers: the configured folder, or the one beside the library.
static std::string resourceDir() {
  if (llvm::sys::fs::is_directory(ClangResourceDir))
    return ClangResourceDir;
  return driver::Driver::GetResourcesPath(
      llvm::sys::fs::getMainExecutable(nullptr,
                                       reinterpret_cast<void *>(&resourceDir)),
      "");
}

/// Drops flags that Clang's driver does not know (those of gcc): they affect
/// code generation, not the meaning of the source.
static tooling::CommandLineArguments
dropUnknownFlags(const tooling::CommandLineArguments &Args, StringRef) {
  if (Args.empty())
    return Args;
  std::vector<const char *> Raw;
  for (size_t I = 1; I < Args.size(); ++I)
    Raw.push_back(Args[I].c_str());
  unsigned MissingIndex, MissingCount;
  llvm::opt::InputArgList Parsed = driver::getDriverOptTable().ParseArgs(
      Raw, MissingIndex, MissingCount,
      llvm::opt::Visibility(driver::options::ClangOption));
  std::set<unsigned> Drop;
  for (const llvm::opt::Arg *A : Parsed.filtered(driver::options::OPT_UNKNOWN))
    Drop.insert(A->getIndex() + 1);
  tooling::CommandLineArguments Result;
  for (unsigned I = 0; I < Args.size(); ++I)
    if (!Drop.count(I))
      Result.push_back(Args[I]);
  return Result;
}

UnitResult parseUnit(const Project &P, const std::string &Unit,
                     const std::map<std::string, std::string> &Overlay,
                     const CollectOptions *Collect) {
  UnitResult Result;
  // A separate file system: its working directory is that of the compile
  // command.
  tooling::ClangTool Tool(*P.Commands, {Unit},
                          std::make_shared<PCHContainerOperations>(),
                          llvm::vfs::createPhysicalFileSystem());
  FirstErrorConsumer Errors(Result.FirstError, P.Root);
  std::deque<std::string> SpelledNames; // referred to by the tool
  Tool.setDiagnosticConsumer(&Errors);
  Tool.setPrintErrorMessage(false);
  std::string Header = std::string(VirtualInclude) + "/evenkeel/ek.h";
  Tool.mapVirtualFile(Header, EmbeddedHeader);
  for (const auto &[Path, Text] : Overlay)
    Tool.mapVirtualFile(Path, Text);
  // The compile command may name the unit by a path with links.
  for (const auto &C : P.Commands->getCompileCommands(Unit)) {
    // Clang's tooling ends the process if it cannot change to the directory.
    if (!llvm::sys::fs::is_directory(C.Directory)) {
      Result.FirstError = "the folder '" + C.Directory +
                          "' of its compile command is missing; configure the "
                          "build again";
      return Result;
    }
    fs::path Spelled = fs::path(C.Directory) / C.Filename;
    auto It = Overlay.find(Unit);
    if (It != Overlay.end() && Spelled.generic_string() != Unit)
      Tool.mapVirtualFile(SpelledNames.emplace_back(Spelled.generic_string()),
                          It->second);
  }
  using tooling::ArgumentInsertPosition;
  Tool.appendArgumentsAdjuster(dropUnknownFlags);
  Tool.appendArgumentsAdjuster(tooling::getStripPluginsAdjuster());
  Tool.appendArgumentsAdjuster(tooling::getInsertArgumentAdjuster(
      {"-resource-dir", resourceDir()}, ArgumentInsertPosition::BEGIN));
  // Warnings are left to the build.
  Tool.appendArgumentsAdjuster(tooling::getInsertArgumentAdjuster(
      {"-w", "-fno-caret-diagnostics", "-idirafter", VirtualInclude,
       // Only Clang rejects this old C; other compilers accept it.
       "-Wno-int-conversion", "-Wno-implicit-function-declaration",
       "-Wno-implicit-int", "-Wno-incompatible-function-pointer-types"},
      ArgumentInsertPosition::END));
  CollectFactory Factory(Collect, Result);
  if (Tool.run(&Factory) != 0 && Result.FirstError.empty())
    Result.FirstError = "its compile command could not be replayed";
  return Result;
}

} // namespace evenkeel
