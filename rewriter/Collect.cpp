//===- Collect.cpp - from one unit's AST to findings ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header. The walk visits code as it is spelled (a template
// once, no implicit code), keeps the chain of statements and directives around
// the current one, and first only gathers; identities (ordinals among equals in
// source order) and then edits, which contain them, are made at the end.
// Rules and their refusals are described one by one in rules/*.md.
//===----------------------------------------------------------------------===//
#include "Collect.h"
#include "LineName.h"
#include "TokenTable.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <filesystem>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

std::string canonicalPath(const std::string &Path,
                          const std::string &Directory) {
  std::filesystem::path P(Path);
  if (P.is_relative())
    P = std::filesystem::path(Directory) / P;
  std::error_code EC;
  std::filesystem::path Real = std::filesystem::weakly_canonical(P, EC);
  return (EC ? P.lexically_normal() : Real).generic_string();
}

std::string relativeTo(const std::string &Absolute, const std::string &Root) {
  std::string Prefix = Root == "/" ? Root : Root + "/";
  if (Absolute.compare(0, Prefix.size(), Prefix) != 0)
    return "";
  return Absolute.substr(Prefix.size());
}

namespace {

/// The allocation functions that the rules edit.
struct Family {
  const char *Name;
  unsigned Params;
};
const Family Families[] = {{"malloc", 1},         {"calloc", 2},
                           {"realloc", 2},        {"aligned_alloc", 2},
                           {"posix_memalign", 3}, {"free", 1}};

const Family *familyByName(StringRef Name) {
  for (const Family &F : Families)
    if (Name == F.Name)
      return &F;
  return nullptr;
}

/// Allocators of the C library that have no rule (yet).
bool isUncovered(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("memalign", "valloc", "pvalloc", "reallocarray", true)
      .Cases("strdup", "strndup", true)
      .Cases("__builtin_malloc", "__builtin_calloc", "__builtin_realloc", true)
      .Default(false);
}

/// A function declared at file scope (or in namespace std) under a C name.
bool isLibraryLevel(const FunctionDecl *FD) {
  const DeclContext *DC = FD->getDeclContext()->getRedeclContext();
  return FD->getIdentifier() &&
         (DC->isTranslationUnit() || DC->isStdNamespace());
}

/// What a finding's edits are made from, once its id is known.
struct Pending {
  Finding F;
  SourceLocation Order;
  size_t Visited = 0; // last resort of the order
  const CallExpr *Call = nullptr;
  const CXXNewExpr *New = nullptr;
  const OMPExecutableDirective *Directive = nullptr;
  const Stmt *Parent = nullptr; // of the directive; null at top level
  bool ParentIsSections = false;
  unsigned Depth = 0;       // nesting, orders edits at one offset
  uint64_t LiteralId = 0;   // of code that is annotated already
  SourceLocation CalleeLoc; // spelled in a file, for edits of calls
};

bool isDeviceDirective(OpenMPDirectiveKind K) {
  return isOpenMPTargetExecutionDirective(K) || isOpenMPTeamsDirective(K) ||
         isOpenMPDistributeDirective(K);
}

bool isOneThread(OpenMPDirectiveKind K) {
  using namespace llvm::omp;
  switch (K) {
  case OMPD_single:
  case OMPD_master:
  case OMPD_masked:
  case OMPD_critical:
  case OMPD_section:
  case OMPD_sections:
  case OMPD_parallel_sections:
  case OMPD_parallel_master:
  case OMPD_parallel_masked:
  case OMPD_task:
    return true;
  default:
    return isOpenMPTaskLoopDirective(K);
  }
}

class Collector : public RecursiveASTVisitor<Collector> {
  using Base = RecursiveASTVisitor<Collector>;

  struct Frame {
    const FunctionDecl *Function;
    std::vector<const OMPExecutableDirective *> Directives;
  };

  ASTContext &Context;
  SourceManager &SM;
  const LangOptions &LO;
  const CollectOptions &Options;
  const QuotedText &Quoted;
  UnitResult &Result;
  std::string Directory;
  std::vector<Pending> Found;
  std::vector<Frame> Frames;
  std::vector<const Stmt *> Stack;
  llvm::DenseMap<const Expr *, char> Callees;
  unsigned InMemberInit = 0, InDefaultArgument = 0;
  std::map<std::string, std::string> PathCache;
  std::map<FileID, std::unique_ptr<TokenTable>> Tables;
  std::map<FileID, unsigned> FirstEdit;
  /// Dependent new-expressions: whether some instantiation calls an operator
  /// new of a class.
  std::set<std::pair<FileID, unsigned>> ClassNew;
  /// Places of calls that the plan has a site for, by its id. Those that turn
  /// out to be no allocation by themselves call a library that allocates.
  std::map<uint64_t, Finding> PlannedCalls;

public:
  Collector(ASTContext &C, const CollectOptions &O, const QuotedText &Q,
            UnitResult &R)
      : Context(C), SM(C.getSourceManager()), LO(C.getLangOpts()), Options(O),
        Quoted(Q), Result(R) {
    auto Dir =
        SM.getFileManager().getVirtualFileSystem().getCurrentWorkingDirectory();
    Directory = Dir ? *Dir : "/";
    Result.Directories.insert(Directory);
    Frames.push_back({nullptr, {}});
  }

  bool shouldVisitTemplateInstantiations() const { return false; }
  bool shouldVisitImplicitCode() const { return false; }

  void run() {
    for (Decl *D : Context.getTranslationUnitDecl()->decls())
      if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
        TraverseDecl(D);
    noteFiles();
    findClassNew();
    assignIds();
    for (Pending &P : Found)
      if (P.F.What == Finding::State::Rewritten)
        makeEdits(P);
    refuseSharedText();
    placeIncludes();
    for (const Pending &P : Found)
      PlannedCalls.erase(P.F.Id);
    for (Pending &P : Found)
      Result.Findings.push_back(std::move(P.F));
    for (auto &Entry : PlannedCalls)
      Result.Findings.push_back(std::move(Entry.second));
  }

  //===--- The walk -------------------------------------------------------===//

  bool TraverseDecl(Decl *D) {
    if (!D)
      return true;
    if (isa<CapturedDecl>(D))
      return Base::TraverseDecl(D);
    if (D->getDeclContext() && D->getDeclContext()->isFileContext() &&
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    if (auto *FD = dyn_cast<FunctionDecl>(D)) {
      noteFunction(FD);
      Frames.push_back({FD, {}});
      bool Go = Base::TraverseDecl(D);
      Frames.pop_back();
      return Go;
    }
    unsigned &Flag = isa<FieldDecl>(D) ? InMemberInit : InDefaultArgument;
    bool Set = isa<FieldDecl>(D) || isa<ParmVarDecl>(D);
    Flag += Set;
    bool Go = Base::TraverseDecl(D);
    Flag -= Set;
    return Go;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    // Operands that are never evaluated allocate nothing.
    if (auto *E = dyn_cast<UnaryExprOrTypeTraitExpr>(S))
      if (!(E->isArgumentType() ? E->getArgumentType()
                                : E->getArgumentExpr()->getType())
               ->isVariablyModifiedType())
        return true;
    if (isa<CXXNoexceptExpr>(S))
      return true;
    auto *L = Stack.empty() ? nullptr : dyn_cast<LambdaExpr>(Stack.back());
    bool Body = L && S == L->getBody();
    if (Body)
      Frames.push_back({L->getCallOperator(), {}});
    auto *Directive = dyn_cast<OMPExecutableDirective>(S);
    Stack.push_back(S);
    if (Directive)
      noteDirective(Directive); // before it counts as its own surroundings
    if (Directive)
      Frames.back().Directives.push_back(Directive);
    bool Go = Base::TraverseStmt(S);
    if (Directive)
      Frames.back().Directives.pop_back();
    Stack.pop_back();
    if (Body)
      Frames.pop_back();
    return Go;
  }

  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc) { return true; }

  bool VisitVarDecl(VarDecl *VD) {
    if (Options.Planned && VD->hasInit())
      notePlannedCall(VD->getLocation());
    if (isa<ParmVarDecl>(VD) || !VD->hasGlobalStorage() ||
        VD->isThisDeclarationADefinition() == VarDecl::DeclarationOnly ||
        VD->getType()->isDependentType() ||
        VD->getDeclContext()->isDependentContext())
      return true;
    // Of several tentative definitions, the one that the compiler emits.
    if (VD->isThisDeclarationADefinition() == VarDecl::TentativeDefinition &&
        VD->getActingDefinition() != VD)
      return true;
    const auto *AT = Context.getAsConstantArrayType(VD->getType());
    if (!AT || Context.getTypeSizeInChars(AT).getQuantity() < 64 * 1024)
      return true;
    const FunctionDecl *Saved = Frames.back().Function;
    if (!VD->isStaticLocal())
      Frames.back().Function = nullptr;
    Pending P;
    P.F.Class = Finding::Group::Site;
    P.F.Key.Kind = "global:" + VD->getNameAsString();
    P.F.Form = VD->isStaticLocal() ? "static" : "global";
    P.F.What = Finding::State::Left;
    P.F.Reason = "static-storage";
    if (locate(P, VD->getLocation())) {
      P.F.Key.Column = 0;
      Found.push_back(std::move(P));
    }
    Frames.back().Function = Saved;
    return true;
  }

  bool VisitExpr(Expr *E) {
    if (!Options.Planned)
      return true;
    if (auto *CE = dyn_cast<CallExpr>(E)) // v.resize(n): at `resize`
      notePlannedCall(memberOrExpr(CE->getCallee()));
    if (isa<CallExpr>(E) || isa<CXXConstructExpr>(E) ||
        isa<CXXUnresolvedConstructExpr>(E))
      for (SourceLocation Loc : {E->getExprLoc(), E->getBeginLoc()})
        notePlannedCall(Loc);
    return true;
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (Options.Planned && Init->isWritten())
      notePlannedCall(Init->getSourceLocation());
    return Base::TraverseConstructorInitializer(Init);
  }

  bool VisitCallExpr(CallExpr *CE) {
    const Expr *Callee = CE->getCallee()->IgnoreParenImpCasts();
    const FunctionDecl *FD = nullptr;
    if (auto *DRE = dyn_cast<DeclRefExpr>(Callee))
      FD = dyn_cast<FunctionDecl>(DRE->getDecl());
    else if (auto *ULE = dyn_cast<UnresolvedLookupExpr>(Callee))
      FD = onlyLibraryFunction(ULE);
    if (!FD || !isLibraryLevel(FD))
      return true;
    Callees[Callee] = 1;
    StringRef Name = FD->getName();
    if (Name.starts_with("ek_")) {
      noteAnnotatedCall(CE, Name);
      return true;
    }
    const Family *Fam = familyByName(Name);
    if (!Fam && !isUncovered(Name))
      return true;
    Pending P;
    P.Call = CE;
    P.F.FromHeap = true;
    P.F.Key.Kind = "site";
    P.F.Form = Name.str();
    P.F.Class = Name == "free" ? Finding::Group::Free : Finding::Group::Site;
    if (!locate(P, CE->getBeginLoc()))
      return true;
    if (!Fam && Name.contains("dup"))
      skipUnlisted(P, "not-covered"); // of small strings; no site in the IR
    else if (!Fam)
      skip(P, "not-covered");
    else if (isUserDefined(FD))
      skipUnlisted(P, "user-allocator");
    else if (CE->getNumArgs() != Fam->Params)
      skip(P, "argument-list");
    else
      checkPlace(P);
    Found.push_back(std::move(P));
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *DRE) {
    noteReference(DRE, dyn_cast<FunctionDecl>(DRE->getDecl()),
                  DRE->getLocation());
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *ULE) {
    noteReference(ULE, onlyLibraryFunction(ULE), ULE->getNameLoc());
    return true;
  }

  bool VisitCXXNewExpr(CXXNewExpr *NE) {
    const FunctionDecl *Op = NE->getOperatorNew();
    if (Op && Op->isReservedGlobalPlacementOperator())
      return true; // constructs in place, allocates nothing
    Pending P;
    P.New = NE;
    P.F.Key.Kind = "site";
    P.F.Form = NE->isArray() ? "new[]" : "new";
    P.F.Class = Finding::Group::Site;
    if (!locate(P, NE->getBeginLoc()))
      return true;
    if (NE->getNumPlacementArgs() > 0) {
      if (const CXXConstructExpr *Tag = siteTag(NE->getPlacementArg(0))) {
        P.F.What = Finding::State::Already;
        P.LiteralId = literal(Tag->getArg(0));
      } else {
        skip(P, "new-form");
      }
    } else if (Op && isa<CXXMethodDecl>(Op)) {
      skipUnlisted(P, "class-operator-new");
    } else if (Op && NE->passAlignment()) {
      skip(P, "new-form");
    } else if (Op && isUserDefined(Op)) {
      skipUnlisted(P, "user-allocator");
    } else if (!NE->isArray()) {
      P.F.What = Finding::State::Left;
      P.F.Reason = "single-object";
    } else if (inConstexprFunction()) {
      skip(P, "constexpr");
    } else {
      checkPlace(P);
    }
    Found.push_back(std::move(P));
    return true;
  }

private:
  //===--- Identity -------------------------------------------------------===//

  static void skip(Pending &P, const char *Reason) {
    P.F.What = Finding::State::Skipped;
    P.F.Reason = Reason;
  }
  static void skipUnlisted(Pending &P, const char *Reason) {
    skip(P, Reason);
    P.F.Listed = false;
  }

  const std::string &relativePath(StringRef Presumed) {
    auto [It, New] = PathCache.try_emplace(Presumed.str());
    if (New)
      It->second =
          relativeTo(canonicalPath(Presumed.str(), Directory), Options.Root);
    return It->second;
  }

  /// Fills in coordinate and key of an entity at \p Loc; false when it lies in
  /// a system header or outside the root and therefore has no identity.
  bool locate(Pending &P, SourceLocation Loc) {
    P.Order = Loc;
    SourceLocation E = SM.getExpansionLoc(Loc);
    if (E.isInvalid() || SM.isInSystemHeader(E))
      return false;
    PresumedLoc PL = SM.getPresumedLoc(E);
    std::string Path = relativePath(PL.getFilename());
    // Behind our own line markers, which name the original, counts the file.
    if (FileID FID = SM.getFileID(E);
        Path.empty() && table(FID).includesHeader())
      Path = relativePath(ownName(FID));
    if (Path.empty()) {
      ++Result.OutsideRoot;
      return false;
    }
    P.F.Key.Path = Path;
    P.F.Line = PL.getLine();
    P.F.Key.Column = PL.getColumn();
    P.F.Key.LineOffset = PL.getLine();
    P.F.Key.Function = "file";
    if (const FunctionDecl *FD = Frames.back().Function) {
      P.F.Key.Function = functionAsSpelled(FD->getNameAsString());
      P.F.Key.LineOffset -=
          SM.getPresumedLoc(SM.getExpansionLoc(FD->getLocation())).getLine();
    }
    return true;
  }

  static SourceLocation memberOrExpr(const Expr *Callee) {
    if (auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
      return M->getMemberLoc();
    if (auto *M = dyn_cast<UnresolvedMemberExpr>(Callee))
      return M->getMemberLoc();
    return Callee->getExprLoc();
  }

  /// The analysis gives what a container allocates the identity of the user's
  /// call that made it (a constructor, `resize`); no AST shows that the call
  /// allocates, but the plan's id does.
  void notePlannedCall(SourceLocation Loc) {
    Pending P;
    unsigned OutsideRoot = Result.OutsideRoot;
    bool Located = locate(P, Loc);
    Result.OutsideRoot = OutsideRoot;
    if (!Located)
      return;
    P.F.Key.Kind = "site";
    P.F.Id = entityId(P.F.Key);
    if (!Options.Planned->count(P.F.Id))
      return;
    P.F.Class = Finding::Group::Site;
    P.F.Form = "container";
    skipUnlisted(P, "container");
    PlannedCalls.emplace(P.F.Id, std::move(P.F));
  }

  void assignIds() {
    for (size_t I = 0; I < Found.size(); ++I)
      Found[I].Visited = I;
    std::sort(Found.begin(), Found.end(),
              [&](const Pending &A, const Pending &B) {
                const EntityKey &X = A.F.Key, &Y = B.F.Key;
                auto TX = std::tie(X.Path, A.F.Line, X.Column, X.Kind,
                                   X.Function, X.LineOffset);
                auto TY = std::tie(Y.Path, B.F.Line, Y.Column, Y.Kind,
                                   Y.Function, Y.LineOffset);
                if (TX != TY)
                  return TX < TY;
                if (A.Order != B.Order)
                  return SM.isBeforeInTranslationUnit(A.Order, B.Order);
                return A.Visited < B.Visited;
              });
    std::map<std::tuple<std::string, std::string, std::string, int, unsigned>,
             unsigned>
        Next;
    for (Pending &P : Found) {
      if (P.F.Class == Finding::Group::Free ||
          P.F.Class == Finding::Group::Reference)
        continue;
      EntityKey &K = P.F.Key;
      if (P.LiteralId) {
        P.F.Id = P.LiteralId;
        continue;
      }
      K.Ordinal = Next[std::make_tuple(K.Kind, K.Path, K.Function, K.LineOffset,
                                       K.Column)]++;
      P.F.Id = entityId(K);
    }
  }

  //===--- Functions and references ---------------------------------------===//

  void noteFunction(const FunctionDecl *FD) {
    if (!FD->isThisDeclarationADefinition())
      return;
    if (FD->isReplaceableGlobalAllocationFunction())
      Result.DefinesNew = true;
    if (!isLibraryLevel(FD))
      return;
    if (familyByName(FD->getName()) && FD->isExternallyVisible())
      Result.DefinesMalloc = true;
    if (FD->isMain()) {
      Frames.push_back({FD, {}});
      Pending P;
      P.F.Class = Finding::Group::Region;
      P.F.Key.Kind = "region";
      P.F.Form = "serial";
      P.F.What = Finding::State::Left;
      if (locate(P, FD->getLocation())) {
        P.F.Key.Column = 0;
        Found.push_back(std::move(P));
      }
      Frames.pop_back();
    }
  }

  /// The program brings its own function under that name.
  bool isUserDefined(const FunctionDecl *FD) const {
    const FunctionDecl *Def = nullptr;
    if (FD->getStorageClass() == SC_Static)
      return true;
    return FD->isDefined(Def) && Def->getLocation().isValid() &&
           !SM.isInSystemHeader(SM.getExpansionLoc(Def->getLocation()));
  }

  /// In templates, a call with dependent arguments is not resolved yet; it is
  /// taken for the library's function when lookup found nothing else.
  static const FunctionDecl *onlyLibraryFunction(const OverloadExpr *O) {
    const FunctionDecl *Only = nullptr;
    for (const NamedDecl *ND : O->decls()) {
      const auto *FD = dyn_cast<FunctionDecl>(ND->getUnderlyingDecl());
      if (!FD || !isLibraryLevel(FD) ||
          !(familyByName(FD->getName()) || FD->getName().starts_with("ek_")))
        return nullptr;
      Only = FD;
    }
    return Only;
  }

  void noteReference(const Expr *E, const FunctionDecl *FD,
                     SourceLocation Loc) {
    if (!FD || !isLibraryLevel(FD) || !familyByName(FD->getName()) ||
        Callees.count(E))
      return;
    Pending P;
    P.F.Class = Finding::Group::Reference;
    P.F.Key.Kind = "reference";
    P.F.Form = FD->getName().str();
    skip(P, "address-taken");
    if (locate(P, Loc))
      Found.push_back(std::move(P));
  }

  static const CXXConstructExpr *siteTag(const Expr *E) {
    E = E->IgnoreUnlessSpelledInSource();
    const CXXRecordDecl *RD = E->getType()->getAsCXXRecordDecl();
    if (!RD || RD->getQualifiedNameAsString() != "ek::site")
      return nullptr;
    const auto *CCE = dyn_cast<CXXConstructExpr>(E);
    if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
      CCE = dyn_cast<CXXConstructExpr>(Cast->getSubExpr()->IgnoreImplicit());
    return CCE && CCE->getNumArgs() > 0 ? CCE : nullptr;
  }

  static uint64_t literal(const Expr *E) {
    const auto *IL = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
    return IL ? IL->getValue().getZExtValue() : 0;
  }

  void noteAnnotatedCall(const CallExpr *CE, StringRef Name) {
    Name.consume_front("ek_");
    Name.consume_back("_at");
    const Family *Fam = familyByName(Name);
    if (!Fam)
      return;
    Pending P;
    P.F.FromHeap = true;
    P.F.Key.Kind = "site";
    P.F.Form = Name.str();
    P.F.What = Finding::State::Already;
    P.F.Class = Name == "free" ? Finding::Group::Free : Finding::Group::Site;
    if (Name != "free" && CE->getNumArgs() > 0)
      P.LiteralId = literal(CE->getArg(0));
    if (locate(P, CE->getBeginLoc()))
      Found.push_back(std::move(P));
  }

  /// Placement forms are no constant expressions. Lambdas are constexpr
  /// whenever they can be, which says nothing.
  bool inConstexprFunction() const {
    const FunctionDecl *FD = Frames.back().Function;
    return FD && FD->isConstexpr() && !isLambdaCallOperator(FD);
  }

  //===--- Where calls may be edited --------------------------------------===//

  /// Where the token at \p Loc is written in a file: itself, or the argument of
  /// a macro; invalid when a macro's body supplies it.
  SourceLocation spelledInFile(SourceLocation Loc) const {
    while (Loc.isMacroID()) {
      if (!SM.isMacroArgExpansion(Loc))
        return {};
      Loc = SM.getImmediateSpellingLoc(Loc);
    }
    return Loc;
  }

  void checkPlace(Pending &P) {
    if (P.F.Class == Finding::Group::Site) {
      if (InMemberInit)
        return skipUnlisted(P, "member-initializer");
      if (InDefaultArgument)
        return skipUnlisted(P, "default-argument");
    }
    SourceLocation Begin =
        P.Call ? P.Call->getCallee()->getBeginLoc() : P.New->getBeginLoc();
    P.CalleeLoc = spelledInFile(Begin);
    if (P.CalleeLoc.isInvalid()) {
      SourceLocation Spelled = SM.getSpellingLoc(Begin);
      skip(P, SM.isInSystemHeader(Spelled) ? "system-header" : "macro-body");
    } else if (Quoted.count(P.CalleeLoc)) {
      skip(P, "macro-stringised");
    }
  }

  TokenTable &table(FileID FID) {
    std::unique_ptr<TokenTable> &T = Tables[FID];
    if (!T)
      T = std::make_unique<TokenTable>(SM.getBufferData(FID), LO);
    return *T;
  }

  std::string absolutePath(FileID FID) {
    OptionalFileEntryRef FE = SM.getFileEntryRefForID(FID);
    return FE ? canonicalPath(FE->getName().str(), Directory) : "";
  }

  /// Records the file that \p P edits; refuses files outside the root.
  bool claimFile(Pending &P, FileID FID) {
    P.F.File = absolutePath(FID);
    if (relativeTo(P.F.File, Options.Root).empty()) {
      skip(P, "outside-root");
      return false;
    }
    return true;
  }

  std::string idArguments(const Pending &P) const {
    char Text[40];
    std::snprintf(Text, sizeof Text, "0x%016llxULL",
                  static_cast<unsigned long long>(P.F.Id));
    std::string S = Text;
    if (Options.Percent) {
      auto It = Options.Percent->find(P.F.Id);
      S += ", EK_FAST(" +
           std::to_string(It == Options.Percent->end() ? 0 : It->second) + ")";
    }
    return S;
  }

  void makeEdits(Pending &P) {
    if (P.Call)
      makeCallEdits(P);
    else if (P.New)
      makeNewEdits(P);
    else if (P.Directive)
      makeHookEdits(P);
    if (P.F.What != Finding::State::Rewritten)
      P.F.Edits.clear();
  }

  void makeCallEdits(Pending &P) {
    auto [FID, Offset] = SM.getDecomposedLoc(P.CalleeLoc);
    P.F.Anchor = Offset;
    if (!claimFile(P, FID))
      return;
    TokenTable &T = table(FID);
    auto [EndFID, EndOffset] =
        SM.getDecomposedLoc(spelledInFile(P.Call->getCallee()->getEndLoc()));
    size_t First = T.at(Offset);
    size_t Last = EndFID == FID ? T.at(EndOffset) : TokenTable::None;
    if (First == TokenTable::None || Last == TokenTable::None ||
        Last + 1 >= T.size() || T[Last + 1].Kind != tok::l_paren)
      return skip(P, "macro-body");
    if (T[First].InDirective)
      return skip(P, "in-directive");
    if (!T.sameConfigurations(First, Last + 1))
      return skip(P, "conditional-call");
    // Replacing it would move the lines below (__LINE__).
    if (T.buffer()
            .slice(T[First].Offset, T[Last].end())
            .find_first_of("\n\r") != StringRef::npos)
      return skip(P, "spliced-token");
    // Commas as the preprocessor counts them: the annotated call must also work
    // as a function-like macro.
    unsigned Depth = 0, Commas = 0;
    for (size_t I = Last + 1; I < T.size(); ++I) {
      tok::TokenKind K = T[I].Kind;
      if (T[I].InDirective)
        return skip(P, "conditional-call");
      if (K == tok::l_paren)
        ++Depth;
      else if (K == tok::r_paren && --Depth == 0)
        break;
      else if (K == tok::comma && Depth == 1)
        ++Commas;
    }
    if (Commas + 1 != P.Call->getNumArgs())
      return skip(P, "argument-list");
    bool Free = P.F.Class == Finding::Group::Free;
    std::string Name = "ek_" + P.F.Form;
    if (Options.Percent && !Free)
      Name += "_at";
    P.F.Edits.push_back(
        {T[First].Offset, T[Last].end() - T[First].Offset, 0, Name});
    if (!Free)
      P.F.Edits.push_back({T[Last + 1].end(), 0, 0, idArguments(P) + ", "});
    noteEdit(FID, T[First].Offset);
  }

  void makeNewEdits(Pending &P) {
    auto [FID, Offset] = SM.getDecomposedLoc(P.CalleeLoc);
    P.F.Anchor = Offset;
    if (ClassNew.count({FID, Offset}))
      return skip(P, "class-operator-new");
    if (!claimFile(P, FID))
      return;
    TokenTable &T = table(FID);
    size_t I = T.at(Offset);
    if (I != TokenTable::None && T[I].Kind == tok::coloncolon)
      ++I;
    if (I == TokenTable::None || I >= T.size() || T.text(I) != "new")
      return skip(P, "macro-body");
    if (T[I].InDirective)
      return skip(P, "in-directive");
    P.F.Edits.push_back(
        {T[I].end(), 0, 0, " (::ek::site(" + idArguments(P) + "))"});
    noteEdit(FID, T[I].Offset);
  }

  void noteEdit(FileID FID, unsigned Offset) {
    auto [It, New] = FirstEdit.try_emplace(FID, Offset);
    It->second = std::min(It->second, Offset);
  }

  /// A macro that repeats its argument, or a file that is included twice, makes
  /// several entities of one piece of text: no single id is right.
  void refuseSharedText() {
    std::map<std::tuple<std::string, unsigned, Finding::Group>,
             std::vector<Pending *>>
        ByPlace;
    for (Pending &P : Found)
      if (P.F.What == Finding::State::Rewritten &&
          P.F.Class != Finding::Group::Free)
        ByPlace[{P.F.File, P.F.Anchor, P.F.Class}].push_back(&P);
    for (auto &[Place, Ps] : ByPlace)
      if (Ps.size() > 1)
        for (Pending *P : Ps) {
          skip(*P, "repeated-text");
          P->F.Edits.clear();
        }
  }

  void placeIncludes() {
    for (auto [FID, Offset] : FirstEdit) {
      TokenTable &T = table(FID);
      IncludePoint Point;
      Point.Present = T.includesHeader();
      Point.Offset = T.includeOffset(Offset);
      Point.Marker = lineMarker(FID, Point.Offset);
      std::string Path = absolutePath(FID);
      Result.Names[Path].insert(ownName(FID));
      Result.Includes.emplace(std::move(Path), std::move(Point));
    }
  }

  void noteFiles() {
    for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It) {
      std::string Path = canonicalPath(It->first.getName().str(), Directory);
      if (!relativeTo(Path, Options.Root).empty())
        Result.Files.insert(Path);
    }
  }

  /// In a template the operator new of a dependent type is unknown; its
  /// instantiations know.
  void findClassNew() {
    bool Needed = std::any_of(Found.begin(), Found.end(), [](Pending &P) {
      return P.New && !P.New->getOperatorNew();
    });
    if (!Needed)
      return;
    struct Instances : RecursiveASTVisitor<Instances> {
      Collector &C;
      explicit Instances(Collector &C) : C(C) {}
      bool shouldVisitTemplateInstantiations() const { return true; }
      bool VisitCXXNewExpr(CXXNewExpr *NE) {
        if (isa_and_nonnull<CXXMethodDecl>(NE->getOperatorNew()) ||
            (NE->getOperatorNew() && NE->passAlignment())) {
          SourceLocation L = C.spelledInFile(NE->getBeginLoc());
          if (L.isValid())
            C.ClassNew.insert(C.SM.getDecomposedLoc(L));
        }
        return true;
      }
    } Visitor(*this);
    for (Decl *D : Context.getTranslationUnitDecl()->decls())
      if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
        Visitor.TraverseDecl(D);
  }

  //===--- Directives -----------------------------------------------------===//

  /// The kind of wait at the end of \p D, or null.
  static const char *waitKind(const OMPExecutableDirective *D) {
    using namespace llvm::omp;
    OpenMPDirectiveKind K = D->getDirectiveKind();
    if (isOpenMPParallelDirective(K))
      return "parallel";
    if (isOpenMPTaskLoopDirective(K))
      return D->hasClausesOfKind<OMPNogroupClause>() ? nullptr : "taskloop";
    switch (K) {
    case OMPD_barrier:
      return "barrier";
    case OMPD_taskwait:
      return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "taskwait";
    case OMPD_taskgroup:
      return "taskgroup";
    case OMPD_for:
    case OMPD_for_simd:
    case OMPD_loop:
      return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "for";
    case OMPD_sections:
      return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "sections";
    case OMPD_single:
      return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "single";
    default:
      return nullptr;
    }
  }

  /// Who reaches the statement after \p D. One thread: after a parallel region
  /// that no other surrounds, in main outside all of them, and inside a
  /// construct that one thread executes (single, master, critical, section,
  /// task). Otherwise a team, also in functions that only their callers know to
  /// be parallel.
  const char *contextOf(const OMPExecutableDirective *D) const {
    const Frame &F = Frames.back();
    for (auto It = F.Directives.rbegin(); It != F.Directives.rend(); ++It) {
      OpenMPDirectiveKind K = (*It)->getDirectiveKind();
      if (isOneThread(K))
        return "serial";
      if (isOpenMPParallelDirective(K))
        return "team";
    }
    if (isOpenMPParallelDirective(D->getDirectiveKind()) ||
        (F.Function && F.Function->isMain()))
      return "serial";
    return "team";
  }

  void noteDirective(const OMPExecutableDirective *D) {
    using namespace llvm::omp;
    OpenMPDirectiveKind K = D->getDirectiveKind();
    bool Device = isDeviceDirective(K);
    bool Parallel = isOpenMPParallelDirective(K);
    bool TaskLoop = isOpenMPTaskLoopDirective(K);
    if (Parallel || TaskLoop || K == OMPD_task) {
      Pending P;
      P.F.Class = Finding::Group::Region;
      P.F.Key.Kind = "region";
      P.F.Form = Parallel ? "parallel" : TaskLoop ? "taskloop" : "task";
      P.F.What = Finding::State::Left;
      if (Device)
        P.F.Reason = "device-directive";
      if (locate(P, D->getBeginLoc()))
        Found.push_back(std::move(P));
    }
    const char *Wait = waitKind(D);
    if (!Wait)
      return;
    Pending P;
    P.F.Class = Finding::Group::Sync;
    P.F.Key.Kind = std::string("sync-") + Wait;
    P.F.Form = Wait;
    P.F.Context = contextOf(D);
    P.Directive = D;
    P.Depth = Stack.size();
    // The directive itself is on top of the stack.
    size_t I = Stack.size() - 1;
    auto Up = [&]() -> const Stmt * {
      while (I-- > 0)
        if (!isa<CapturedStmt>(Stack[I]) && !isa<OMPCanonicalLoop>(Stack[I]))
          return Stack[I];
      return nullptr;
    };
    P.Parent = Up();
    if (isa_and_nonnull<CompoundStmt>(P.Parent)) {
      const auto *Outer = dyn_cast_or_null<OMPExecutableDirective>(Up());
      P.ParentIsSections =
          Outer && (Outer->getDirectiveKind() == OMPD_sections ||
                    Outer->getDirectiveKind() == OMPD_parallel_sections);
    }
    if (!locate(P, D->getBeginLoc()))
      return;
    if (Device)
      skip(P, "device-directive");
    else if (D->getBeginLoc().isMacroID() || D->getEndLoc().isMacroID())
      skip(P, "macro-directive");
    Found.push_back(std::move(P));
  }

  /// Last spelled part of \p S; NeedsSemicolon when the AST leaves its `;` out.
  static SourceLocation statementEnd(const Stmt *S, bool &NeedsSemicolon) {
    NeedsSemicolon = false;
    for (;;) {
      if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
        if (!D->hasAssociatedStmt())
          return {};
        S = D->getRawStmt();
      } else if (const auto *C = dyn_cast<CapturedStmt>(S)) {
        S = C->getCapturedStmt();
      } else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S)) {
        S = L->getLoopStmt();
      } else if (const auto *F = dyn_cast<ForStmt>(S)) {
        S = F->getBody();
      } else if (const auto *F = dyn_cast<CXXForRangeStmt>(S)) {
        S = F->getBody();
      } else if (const auto *W = dyn_cast<WhileStmt>(S)) {
        S = W->getBody();
      } else if (const auto *I = dyn_cast<IfStmt>(S)) {
        S = I->getElse() ? I->getElse() : I->getThen();
      } else if (const auto *W = dyn_cast<SwitchStmt>(S)) {
        S = W->getBody();
      } else if (const auto *L = dyn_cast<LabelStmt>(S)) {
        S = L->getSubStmt();
      } else if (const auto *C = dyn_cast<SwitchCase>(S)) {
        S = C->getSubStmt();
      } else if (const auto *A = dyn_cast<AttributedStmt>(S)) {
        S = A->getSubStmt();
      } else if (const auto *T = dyn_cast<CXXTryStmt>(S)) {
        S = T->getHandler(T->getNumHandlers() - 1)->getHandlerBlock();
      } else {
        break;
      }
      if (!S)
        return {};
    }
    // Declarations and empty statements end with their semicolon, blocks with
    // their brace.
    NeedsSemicolon =
        !isa<CompoundStmt>(S) && !isa<NullStmt>(S) && !isa<DeclStmt>(S);
    return S->getEndLoc();
  }

  static bool isHook(TokenTable &T, size_t I) {
    return I != TokenTable::None && I < T.size() && T.text(I) == "ek_sync";
  }

  void makeHookEdits(Pending &P) {
    auto [FID, Offset] = SM.getDecomposedLoc(P.Directive->getBeginLoc());
    P.F.Anchor = Offset;
    TokenTable &T = table(FID);
    size_t Hash = T.at(Offset);
    if (Hash == TokenTable::None || T[Hash].Kind != tok::hash)
      return skip(P, "macro-directive");
    if (!claimFile(P, FID))
      return;
    char Hook[64];
    std::snprintf(Hook, sizeof Hook, "ek_sync(0x%016llxULL, %s);",
                  static_cast<unsigned long long>(P.F.Id),
                  P.F.Context == "team" ? "EK_TEAM" : "EK_SERIAL");
    bool Wrap = !isa_and_nonnull<CompoundStmt>(P.Parent) || P.ParentIsSections;
    if (P.Directive->hasAssociatedStmt())
      hookAfterStatement(P, FID, T, Hash, Hook, Wrap);
    else
      hookAfterPragma(P, FID, T, Hash, Hook, Wrap);
  }

  /// What the compiler calls the file, whatever line directives in it say.
  std::string ownName(FileID FID) const {
    return SM.getPresumedLoc(SM.getLocForStartOfFile(FID), false).getFilename();
  }

  /// The directive with which the text at \p Offset keeps its coordinate.
  std::string lineMarker(FileID FID, unsigned Offset) const {
    PresumedLoc PL = SM.getPresumedLoc(
        SM.getLocForStartOfFile(FID).getLocWithOffset(Offset));
    bool Own = PL.getFilename() == ownName(FID);
    return lineDirective(PL.getLine(),
                         Own ? std::string(1, OwnName) : PL.getFilename());
  }

  /// Opens the braces around a directive that is somebody's only statement;
  /// false when that cannot be done.
  bool openBraces(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                  size_t Last) {
    int Rank = static_cast<int>(P.Depth);
    if (isa_and_nonnull<OMPExecutableDirective>(P.Parent)) {
      // The line above is another pragma's: a line of our own.
      unsigned At = T.lineStart(T[Hash].Offset);
      P.F.Edits.push_back({At, 0, Rank,
                           T.indentation(At).str() + "{" + T.newline().str() +
                               lineMarker(FID, At) + T.newline().str()});
      noteEdit(FID, At);
      return true;
    }
    size_t Before = T.previousPlain(Hash);
    if (Before == TokenTable::None || !T.sameConfigurations(Before, Last))
      return false;
    P.F.Edits.push_back({T[Before].end(), 0, Rank, " {"});
    noteEdit(FID, T[Before].Offset);
    return true;
  }

  void hookAfterStatement(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                          const std::string &Hook, bool Wrap) {
    bool NeedsSemicolon;
    SourceLocation End =
        statementEnd(P.Directive->getRawStmt(), NeedsSemicolon);
    if (End.isMacroID()) {
      SourceLocation Outer;
      End = Lexer::isAtEndOfMacroExpansion(End, SM, LO, &Outer)
                ? Outer
                : SourceLocation();
    }
    if (End.isInvalid())
      return skip(P, "macro-body");
    auto [EndFID, EndOffset] = SM.getDecomposedLoc(End);
    if (EndFID != FID)
      return skip(P, "split-file");
    size_t Last = T.at(EndOffset);
    if (Last != TokenTable::None && NeedsSemicolon) {
      ++Last;
      if (Last >= T.size() || T[Last].Kind != tok::semi)
        Last = TokenTable::None;
    }
    if (Last == TokenTable::None || T[Last].InDirective)
      return skip(P, "macro-body");
    if (isHook(T, Last + 1)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (!T.sameConfigurations(Hash, Last) ||
        (Wrap && !openBraces(P, FID, T, Hash, Last)))
      return skip(P, "conditional-directive");
    std::string Text = Hook + (Wrap ? " }" : "");
    noteEdit(FID, T[Hash].Offset);
    // Behind a block on its line. Behind a single statement, compilers would
    // warn of misleading indentation there.
    if (T[Last].Kind == tok::semi && Last + 1 < T.size() &&
        T[Last + 1].LineStart)
      insertBefore(P, FID, T, Hash, Last + 1, Text);
    else
      P.F.Edits.push_back(
          {T[Last].end(), 0, -static_cast<int>(P.Depth), " " + Text});
  }

  void hookAfterPragma(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                       const std::string &Hook, bool Wrap) {
    size_t Next = T.afterDirective(Hash);
    if (Next == TokenTable::None)
      return skip(P, "split-file");
    if (isHook(T, Next)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (Wrap && !openBraces(P, FID, T, Hash, Hash))
      return skip(P, "conditional-directive");
    noteEdit(FID, T[Hash].Offset);
    insertBefore(P, FID, T, Hash, Next, Hook + (Wrap ? " }" : ""));
  }

  /// Puts \p Text before token \p Next, which starts a line.
  void insertBefore(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                    size_t Next, const std::string &Text) {
    int Rank = -static_cast<int>(P.Depth);
    if (!T[Next].InDirective) {
      P.F.Edits.push_back({T[Next].Offset, 0, Rank, Text + " "});
      return;
    }
    // Another directive follows; behind it the hook would be too late, or in
    // another configuration. A line of its own, and the numbers go on as
    // before.
    unsigned At = T.lineStart(T[Next].Offset);
    P.F.Edits.push_back({At, 0, Rank,
                         T.indentation(T[Hash].Offset).str() + Text +
                             T.newline().str() + lineMarker(FID, At) +
                             T.newline().str()});
  }
};

} // namespace

void collectUnit(ASTContext &Context, const CollectOptions &Options,
                 const QuotedText &Quoted, UnitResult &Result) {
  Collector(Context, Options, Quoted, Result).run();
}

} // namespace evenkeel
