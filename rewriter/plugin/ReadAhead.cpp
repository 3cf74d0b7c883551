//===- ReadAhead.cpp - reading a unit in a copy of the compiler -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadAhead.h.
//===----------------------------------------------------------------------===//
#include "ReadAhead.h"
#include "edits/Paths.h"
#include "unit/SystemHeaders.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/thread.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

//===--- Messages from the copy -------------------------------------------===//

static void put(std::string &To, StringRef Field) {
  uint64_t Size = Field.size();
  To.append(reinterpret_cast<const char *>(&Size), sizeof Size);
  To.append(Field.data(), Field.size());
}

static bool take(StringRef &From, std::string &Field) {
  uint64_t Size;
  if (From.size() < sizeof Size)
    return false;
  std::memcpy(&Size, From.data(), sizeof Size);
  From = From.drop_front(sizeof Size);
  if (From.size() < Size)
    return false;
  Field = From.take_front(Size).str();
  From = From.drop_front(Size);
  return true;
}

static void putList(std::string &To, const std::vector<std::string> &List) {
  std::string Text;
  for (const std::string &S : List)
    put(Text, S);
  put(To, Text);
}

static bool takeList(StringRef &From, std::vector<std::string> &List) {
  std::string Text, Entry;
  if (!take(From, Text))
    return false;
  for (StringRef Rest = Text; !Rest.empty(); List.push_back(Entry))
    if (!take(Rest, Entry))
      return false;
  return true;
}

/// The fields of \p L that instrumenting the code needs.
static std::string packed(const LinkedWrappers &L) {
  std::string Text;
  put(Text, std::to_string(L.Functions.size()));
  for (const WrapperNode &N : L.Functions) {
    put(Text, N.Mark);
    putList(Text, N.Names);
    put(Text, N.Holds ? "1" : "");
    putList(Text, N.IfAny);
  }
  for (const LinkedCall &C : L.Calls) {
    put(Text, C.Mark);
    putList(Text, C.Names);
    putList(Text, {std::to_string(C.Id), C.Spelled, std::to_string(C.Line),
                   std::to_string(C.Column)});
  }
  return Text;
}

static bool unpack(StringRef Text, LinkedWrappers &L) {
  std::string Count, Holds;
  if (!take(Text, Count))
    return false;
  for (size_t N = std::strtoull(Count.c_str(), nullptr, 10); N-- > 0;) {
    WrapperNode &Node = L.Functions.emplace_back();
    if (!take(Text, Node.Mark) || !takeList(Text, Node.Names) ||
        !take(Text, Holds) || !takeList(Text, Node.IfAny))
      return false;
    Node.Holds = !Holds.empty();
  }
  while (!Text.empty()) {
    LinkedCall &C = L.Calls.emplace_back();
    std::vector<std::string> Place;
    if (!take(Text, C.Mark) || !takeList(Text, C.Names) ||
        !takeList(Text, Place) || Place.size() != 4)
      return false;
    C.Id = std::strtoull(Place[0].c_str(), nullptr, 10);
    C.Spelled = Place[1];
    C.Line = std::strtoul(Place[2].c_str(), nullptr, 10);
    C.Column = std::strtoul(Place[3].c_str(), nullptr, 10);
  }
  return true;
}

static std::string packed(const std::vector<CountedLoop> &Loops) {
  std::string Text;
  for (const CountedLoop &L : Loops)
    putList(Text, {std::to_string(L.Region), std::to_string(L.Id), L.Spelled,
                   std::to_string(L.Line), std::to_string(L.Column),
                   L.TestsFirst ? "1" : ""});
  return Text;
}

static bool unpack(StringRef Text, std::vector<CountedLoop> &Loops) {
  while (!Text.empty()) {
    CountedLoop &L = Loops.emplace_back();
    std::vector<std::string> Fields;
    if (!takeList(Text, Fields) || Fields.size() != 6)
      return false;
    L.Region = std::strtoull(Fields[0].c_str(), nullptr, 10);
    L.Id = std::strtoull(Fields[1].c_str(), nullptr, 10);
    L.Spelled = Fields[2];
    L.Line = std::strtoul(Fields[3].c_str(), nullptr, 10);
    L.Column = std::strtoul(Fields[4].c_str(), nullptr, 10);
    L.TestsFirst = !Fields[5].empty();
  }
  return true;
}

static std::string pack(const EditedUnit &U) {
  std::string Text;
  put(Text, U.Anything ? "1" : "");
  put(Text, U.NeedsHeader ? "1" : "");
  put(Text, U.Note);
  put(Text, std::to_string(static_cast<int>(U.Refused)));
  put(Text, U.Detail);
  put(Text, std::to_string(U.CpuSeconds));
  put(Text, packed(U.Linked));
  put(Text, packed(U.Loops));
  for (const EditedBuffer &E : U.Files) {
    put(Text, E.File.getName());
    put(Text, E.Text->getBuffer());
  }
  return Text;
}

static bool unpack(StringRef Text, FileManager &Files, EditedUnit &U) {
  std::string Anything, Header, Refused, Seconds, Linked, Loops, Name, New;
  if (!take(Text, Anything) || !take(Text, Header) || !take(Text, U.Note) ||
      !take(Text, Refused) || !take(Text, U.Detail) || !take(Text, Seconds) ||
      !take(Text, Linked) || !unpack(Linked, U.Linked) || !take(Text, Loops) ||
      !unpack(Loops, U.Loops))
    return false;
  U.Anything = !Anything.empty();
  U.NeedsHeader = !Header.empty();
  U.Refused = static_cast<Refusal>(std::strtol(Refused.c_str(), nullptr, 10));
  U.CpuSeconds = std::strtod(Seconds.c_str(), nullptr);
  while (!Text.empty()) {
    if (!take(Text, Name) || !take(Text, New))
      return false;
    OptionalFileEntryRef File = Files.getOptionalFileRef(Name);
    if (!File)
      return false;
    U.Files.push_back({*File, llvm::MemoryBuffer::getMemBufferCopy(New, Name)});
  }
  return true;
}

static bool writeAll(int To, StringRef Text) {
  while (!Text.empty()) {
    ssize_t N = write(To, Text.data(), Text.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Text = Text.drop_front(N);
  }
  return true;
}

static std::string readAll(int From) {
  std::string Text;
  std::vector<char> Block(1 << 16);
  for (;;) {
    ssize_t N = read(From, Block.data(), Block.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return Text;
    Text.append(Block.data(), N);
  }
}

//===--- Between parser and compiler --------------------------------------===//

/// Drops what the copy or a silent compilation parses.
class Guard : public MultiplexConsumer {
  ReadAhead &A;

  static std::vector<std::unique_ptr<ASTConsumer>>
  only(std::unique_ptr<ASTConsumer> C) {
    std::vector<std::unique_ptr<ASTConsumer>> Result;
    Result.push_back(std::move(C));
    return Result;
  }
  bool passes() const { return !A.IsCopy && !A.Silent; }
  bool isInSystemHeader(SourceLocation L) const {
    return A.isInSystemHeader(A.CI.getSourceManager().getExpansionLoc(L));
  }

public:
  Guard(ReadAhead &A, std::unique_ptr<ASTConsumer> C)
      : MultiplexConsumer(only(std::move(C))), A(A) {}

  void Initialize(ASTContext &) override {} // the consumer had its call

  void InitializeSema(Sema &S) override {
    A.S = &S;
    MultiplexConsumer::InitializeSema(S);
  }

  /// System headers are never edited.
  bool shouldSkipFunctionBody(Decl *D) override {
    return A.Silent || (A.IsCopy && isInSystemHeader(D->getLocation()));
  }

  bool HandleTopLevelDecl(DeclGroupRef D) override {
    if (passes())
      return MultiplexConsumer::HandleTopLevelDecl(D);
    // Instances of system headers' templates are not needed, either.
    llvm::erase_if(A.S->PendingInstantiations, [&](const auto &P) {
      auto *FD = dyn_cast<FunctionDecl>(P.first);
      const FunctionDecl *From =
          FD ? FD->getTemplateInstantiationPattern() : nullptr;
      if (!From || !isInSystemHeader(From->getLocation()))
        return false;
      FD->setHasSkippedBody();
      return true;
    });
    return true;
  }

  void HandleTranslationUnit(ASTContext &C) override {
    if (A.IsCopy)
      A.finishCopy();
    if (!A.Silent)
      MultiplexConsumer::HandleTranslationUnit(C);
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleCXXStaticMemberVarInstantiation(D);
  }
  void HandleInlineFunctionDefinition(FunctionDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleInlineFunctionDefinition(D);
  }
  void HandleInterestingDecl(DeclGroupRef D) override {
    if (passes())
      MultiplexConsumer::HandleInterestingDecl(D);
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleTagDeclDefinition(D);
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleTagDeclRequiredDefinition(D);
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleCXXImplicitFunctionInstantiation(D);
  }
  void CompleteTentativeDefinition(VarDecl *D) override {
    if (passes())
      MultiplexConsumer::CompleteTentativeDefinition(D);
  }
  void CompleteExternalDeclaration(DeclaratorDecl *D) override {
    if (passes())
      MultiplexConsumer::CompleteExternalDeclaration(D);
  }
  void HandleVTable(CXXRecordDecl *D) override {
    if (passes())
      MultiplexConsumer::HandleVTable(D);
  }
};

std::unique_ptr<ASTConsumer>
ReadAhead::before(std::unique_ptr<ASTConsumer> Consumer) {
  return std::make_unique<Guard>(*this, std::move(Consumer));
}

//===--- Up to the first token --------------------------------------------===//

/// Tracks the file being read, and adds padding to files before they are
/// entered.
class Watcher : public PPCallbacks {
  ReadAhead &A;

public:
  explicit Watcher(ReadAhead &A) : A(A) {}

  void FileChanged(SourceLocation Loc, FileChangeReason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (A.Over)
      return;
    SourceManager &SM = A.CI.getSourceManager();
    OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(Loc));
    A.InRoot = File && !A.isInSystemHeader(Loc) && A.isInRoot(*File);
  }

  void InclusionDirective(SourceLocation, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File, StringRef,
                          StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    SourceManager &SM = A.CI.getSourceManager();
    HeaderSearch &Headers = A.CI.getPreprocessor().getHeaderSearchInfo();
    if (A.Over || !File || Headers.getFileDirFlavor(*File) != SrcMgr::C_User ||
        !A.isInRoot(*File) || A.Begun.count(&File->getFileEntry()) ||
        SM.isFileOverridden(&File->getFileEntry()) ||
        SM.translateFile(*File).isValid())
      return;
    if (auto Text = SM.getMemoryBufferForFileOrNone(*File))
      A.makeRoom(*File, Text->getBuffer(), 16 << 10);
  }
};

bool ReadAhead::isPossible(CompilerInstance &CI) {
  const PreprocessorOptions &PP = CI.getPreprocessorOpts();
  SourceManager &SM = CI.getSourceManager();
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  return Main && Main->getName() != "<stdin>" && // cannot be read again
         PP.ImplicitPCHInclude.empty() && PP.ChainedIncludes.empty() &&
         !CI.getLangOpts().Modules &&
         !CI.getDiagnosticOpts().VerifyDiagnostics &&
         // Without a line end there, the padding would be part of the last
         // line.
         SM.getBufferData(SM.getMainFileID()).ends_with("\n");
}

ReadAhead::ReadAhead(CompilerInstance &CI, const CollectOptions &Options,
                     const std::string &Name, Use Then)
    : CI(CI), Options(Options), Name(Name), Then(std::move(Then)) {
  SourceManager &SM = CI.getSourceManager();
  Directory = workingDirectory(SM);
  FileID Main = SM.getMainFileID();
  FileEntryRef File = *SM.getFileEntryRefForID(Main);
  SrcMgr::CharacteristicKind Kind =
      SM.getFileCharacteristic(SM.getLocForStartOfFile(Main));
  std::string Text = SM.getBufferData(Main).str();
  SM.clearIDTables(); // they contain only this file
  makeRoom(File, Text, 64 << 10);
  SM.setMainFileID(SM.createFileID(File, SourceLocation(), Kind));

  Preprocessor &PP = CI.getPreprocessor();
  PP.addPPCallbacks(std::make_unique<Watcher>(*this));
  PP.addPPCallbacks(std::make_unique<QuotedTextCallbacks>(SM, Quoted));
  PP.setTokenWatcher([this](const Token &T) {
    if (InRoot && !Over)
      token(T);
  });
  // Makes the parser ask the consumer about each function body.
  CI.getFrontendOpts().SkipFunctionBodies = true;
}

bool ReadAhead::isInSystemHeader(SourceLocation Loc) {
  return evenkeel::isInSystemHeader(
      CI.getSourceManager(), CI.getPreprocessor().getHeaderSearchInfo(), Loc);
}

bool ReadAhead::isInRoot(FileEntryRef File) {
  return !Options.nameOf(canonicalPath(File.getName().str(), Directory))
              .empty();
}

/// The padding is one line without content, so line numbers are preserved.
void ReadAhead::makeRoom(FileEntryRef File, StringRef Text, size_t Extra) {
  if (!Text.ends_with("\n"))
    return;
  BegunFile B;
  B.Size = Text.size();
  B.Room = 2 * Text.size() + Extra;
  auto Buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(B.Room, File.getName());
  B.Text = Buffer->getBufferStart();
  std::memcpy(B.Text, Text.data(), B.Size);
  std::memset(B.Text + B.Size, ' ', B.Room - B.Size);
  B.Text[B.Room - 1] = '\n';
  CI.getSourceManager().overrideFileContents(File, std::move(Buffer));
  Begun[&File.getFileEntry()] = B;
}

StringRef ReadAhead::mainText() const {
  SourceManager &SM = CI.getSourceManager();
  const BegunFile &B = Begun.at(SM.getFileEntryForID(SM.getMainFileID()));
  return StringRef(B.Text, B.Size);
}

void ReadAhead::noteOpenFiles() {
  SourceManager &SM = CI.getSourceManager();
  auto Note = [&](FileID FID, size_t Read) {
    auto It = Begun.find(SM.getFileEntryForID(FID));
    if (It == Begun.end())
      return;
    It->second.Open = true;
    It->second.Read = Read;
  };
  Note(SM.getMainFileID(), 0); // even if -include provides the first token
  auto *Reading =
      static_cast<Lexer *>(CI.getPreprocessor().getCurrentFileLexer());
  FileID FID = Reading->getFileID();
  Note(FID, Reading->getCurrentBufferOffset());
  for (SourceLocation At = SM.getIncludeLoc(FID); At.isValid();
       At = SM.getIncludeLoc(FID)) {
    unsigned Offset;
    std::tie(FID, Offset) = SM.getDecomposedLoc(At);
    StringRef Text = SM.getBufferData(FID);
    size_t End = Text.find('\n', Offset); // of the include directive
    Note(FID, End == StringRef::npos ? Text.size() : End + 1);
  }
}

void ReadAhead::token(const Token &T) {
  Over = true;
  if (T.is(tok::eof) || CI.getDiagnostics().hasErrorOccurred())
    return;
  noteOpenFiles();
  EditedUnit Found;
  Found.Refused = Refusal::CopyFailed;
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) == 0) {
    pid_t Copy = fork();
    if (Copy == 0) {
      close(Ends[0]);
      becomeCopy(Ends[1]);
      return;
    }
    close(Ends[1]);
    if (Copy > 0) {
      EditedUnit Received;
      if (unpack(readAll(Ends[0]), CI.getFileManager(), Received))
        Found = std::move(Received);
      while (waitpid(Copy, nullptr, 0) < 0 && errno == EINTR)
        ;
    }
    close(Ends[0]);
  }
  First = const_cast<Token *>(&T); // the caller's own object
  Then(std::move(Found));
  First = nullptr;
}

//===--- In the copy ------------------------------------------------------===//

void ReadAhead::becomeCopy(int To) {
  IsCopy = true;
  Pipe = To;
  // The compiler's signal handlers, which delete its outputs, must not run in
  // the copy.
  for (int Signal = 1; Signal < NSIG; ++Signal) {
    struct sigaction Old;
    if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
      signal(Signal, SIG_DFL);
  }
  signal(SIGPIPE, SIG_IGN);
  rlimit None = {0, 0};
  setrlimit(RLIMIT_CORE, &None);
  if (int Null = open("/dev/null", O_WRONLY | O_CLOEXEC); Null >= 0) {
    dup2(Null, STDOUT_FILENO);
    dup2(Null, STDERR_FILENO);
  }
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  if (Diags.ownsClient())
    (void)Diags.takeClient().release();
  Errors.emplace(FirstError, Options.Root);
  Diags.setClient(&*Errors, /*ShouldOwnClient=*/false);
  Diags.setIgnoreAllWarnings(true); // left to the build
}

EditedUnit ReadAhead::collect() {
  if (!FirstError.empty())
    return refuse(Refusal::Errors, FirstError);
  UnitResult Unit;
  collectUnit(CI.getASTContext(), CI.getPreprocessor().getHeaderSearchInfo(),
              Options, Quoted, Unit);
  return editsOf(CI.getSourceManager(), std::move(Unit), Name, Begun);
}

void ReadAhead::finishCopy() {
  EditedUnit Result;
  // A larger stack for code that nests deeper than Clang's own walks can go.
  llvm::thread Walk(std::optional<unsigned>(64u << 20),
                    [&] { Result = collect(); });
  Walk.join();
  Result.CpuSeconds = double(std::clock()) / CLOCKS_PER_SEC;
  _exit(writeAll(Pipe, pack(Result)) ? 0 : 1);
}

//===--- Continuing the compilation ---------------------------------------===//

/// Reads the header before the first token, as if its include line were there.
void ReadAhead::putHeaderBefore(Token &T) {
  Preprocessor &PP = CI.getPreprocessor();
  SourceManager &SM = CI.getSourceManager();
  SourceLocation Here = SM.getExpansionLoc(T.getLocation());
  auto After = std::make_unique<Token[]>(1);
  After[0] = T;
  PP.EnterTokenStream(std::move(After), 1, /*DisableMacroExpansion=*/true,
                      /*IsReinject=*/true);
  FileID Line = SM.createFileID(llvm::MemoryBuffer::getMemBufferCopy(
                                    "#include <evenkeel/ek.h>\n", "<evenkeel>"),
                                SrcMgr::C_System, /*LoadedID=*/0,
                                /*LoadedOffset=*/0, Here);
  if (!PP.EnterSourceFile(Line, nullptr, Here))
    PP.Lex(T);
}

bool ReadAhead::place(std::vector<EditedBuffer> &Files, bool NeedsHeader) {
  SourceManager &SM = CI.getSourceManager();
  for (const EditedBuffer &E : Files) {
    auto It = Begun.find(&E.File.getFileEntry());
    if (It == Begun.end() ? SM.translateFile(E.File).isValid()
                          : !It->second.Open)
      return false;
    if (It == Begun.end())
      continue;
    const BegunFile &B = It->second;
    StringRef New = E.Text->getBuffer();
    if (New.size() >= B.Room || New.size() < B.Read ||
        std::memcmp(New.data(), B.Text, B.Read) != 0)
      return false;
  }
  for (EditedBuffer &E : Files) {
    auto It = Begun.find(&E.File.getFileEntry());
    if (It == Begun.end()) {
      SM.overrideFileContents(E.File, std::move(E.Text));
      continue;
    }
    BegunFile &B = It->second;
    StringRef New = E.Text->getBuffer();
    std::memcpy(B.Text, New.data(), New.size());
    std::memset(B.Text + New.size(), ' ', B.Room - 1 - New.size());
    // Forget line numbers that were computed before.
    FileID FID = SM.translateFile(E.File);
    SM.getSLocEntry(FID).getFile().getContentCache().SourceLineCache =
        SrcMgr::LineOffsetMapping();
  }
  if (NeedsHeader)
    putHeaderBefore(*First);
  return true;
}

} // namespace evenkeel
