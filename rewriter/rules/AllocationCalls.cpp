//===- AllocationCalls.cpp - the C allocation family ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AllocationCalls.h.
//===----------------------------------------------------------------------===//
#include "AllocationCalls.h"
#include "allocators/WrapperFunctions.h"
#include "edits/WholeText.h"
#include "library/LibraryForms.h"
#include "unit/MacroText.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

constexpr auto Site = Finding::Group::Site, Free = Finding::Group::Free;
constexpr auto Heap = AllocatorOrigin::Heap, Outside = AllocatorOrigin::Outside;

/// Whether \p FD, which is defined elsewhere, is declared to return new memory.
/// The analysis treats it as a site, too.
bool isDeclaredAllocator(const Unit &U, const FunctionDecl *FD) {
  if (FD->getDefinition() || FD->getBuiltinID() || !FD->getIdentifier() ||
      !FD->getReturnType()->isPointerType() ||
      (isLibraryLevel(FD) && (returnsNoData(std::string_view(FD->getName())) ||
                              FD->getName().starts_with("ek_"))))
    return false;
  for (const FunctionDecl *R : FD->redecls())
    if (R->hasAttr<RestrictAttr>() || R->hasAttr<AllocSizeAttr>())
      return !WrapperFunctions::isElsewhere(U, FD);
  return false;
}

/// Whether the flags of the mapping contain MAP_ANONYMOUS, or are known only at
/// run time.
bool mayBeAnonymous(const Unit &U, const CallExpr *CE) {
  const int64_t Anonymous = 0x20; // MAP_ANONYMOUS of Linux on our processors
  Expr::EvalResult Flags;
  const Expr *E = CE->getNumArgs() > 3 ? CE->getArg(3) : nullptr;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(Flags, U.Context))
    return true;
  return Flags.Val.getInt().getExtValue() & Anonymous;
}

/// Whether the arguments fit the replacement's prototype. Old programs may
/// declare the function with fewer parameter types.
bool argumentsFit(const Unit &U, const CallExpr *CE, const FunctionDecl *FD,
                  const AllocationRule &R) {
  bool Prototype = FD->getType()->getAs<FunctionProtoType>();
  for (unsigned I = 0; I < CE->getNumArgs(); ++I) {
    const Expr *E = CE->getArg(I)->IgnoreParenImpCasts();
    QualType T = E->getType().getCanonicalType();
    if (T->isDependentType() || U.LO.CPlusPlus)
      continue; // has a prototype, with the same conversions
    if (R.Pointers >> I & 1) {
      if (E->isNullPointerConstant(U.Context, Expr::NPC_ValueDependentIsNull))
        continue;
      if (!T->isPointerType() && !T->isArrayType())
        return false;
      if (!Prototype && T->isPointerType() &&
          T->getPointeeType().hasQualifiers())
        return false;
    } else if (!Prototype && !T->isIntegralOrEnumerationType()) {
      return false;
    }
  }
  return true;
}

} // namespace

void AllocationCalls::function(const FunctionDecl *FD) {
  if (!FD->isThisDeclarationADefinition() || !isLibraryLevel(FD) ||
      !FD->isExternallyVisible())
    return;
  StringRef Name = FD->getName();
  if (llvm::is_contained({"malloc", "calloc", "realloc", "free"}, Name))
    U.Result.DefinesMalloc = true;
  else if (ruleFor(Name))
    U.Result.OwnAllocators.insert(Name.str());
}

/// The cast to \p T that the replacement needs, as it returns void *; nullopt
/// if the type cannot be written in one piece.
static std::optional<std::string> castTo(const Unit &U, QualType T) {
  T = T.getCanonicalType();
  if (T->isVoidPointerType() || !T->isPointerType())
    return T->isVoidPointerType() ? std::optional<std::string>("")
                                  : std::nullopt;
  if (!T->getPointeeType()->isBuiltinType())
    return std::nullopt;
  return "(" + T.getAsString(U.Context.getPrintingPolicy()) + ")";
}

SourceLocation nameOfCallee(const CallExpr *CE) {
  const Expr *Callee = CE->getCallee()->IgnoreParenImpCasts();
  if (const auto *DRE = dyn_cast<DeclRefExpr>(Callee))
    return DRE->getLocation();
  if (const auto *ULE = dyn_cast<UnresolvedLookupExpr>(Callee))
    return ULE->getNameLoc();
  return Callee->getExprLoc();
}

/// Whether an enclosing call has the id.
bool AllocationCalls::insideAnnotated() const {
  for (const Stmt *S : U.Stack)
    if (const auto *CE = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *FD = CE->getDirectCallee())
        if (FD->getIdentifier() && FD->getName() == "ek_given")
          return true;
  return false;
}

void AllocationCalls::call(const CallExpr *CE) {
  const Expr *Callee = CE->getCallee()->IgnoreParenImpCasts();
  const FunctionDecl *FD = namedFunction(Callee);
  if (!FD)
    return;
  const AllocationRule *R = nullptr;
  LeftReason Left;
  if (isLibraryLevel(FD)) {
    Callees.insert(Callee);
    if (const AllocationRule *Done = ruleOfAnnotated(FD->getName()))
      return annotatedCall(CE, Done->Function);
    R = ruleFor(FD->getName());
    if (!R)
      Left = leftBecause(FD->getName());
  }
  if (isMemoryHelper(FD->getNameInfo().getAsString()))
    Left.Name = "tier-chosen";
  if (!R && !Left.Name && isDeclaredAllocator(U, FD))
    Left.Name = "unknown-allocator";
  if (!R && !Left.Name)
    return;
  Pending P;
  P.F.Key.Kind = "site";
  std::string Name = FD->getNameAsString();
  P.F.Form = Name;
  P.F.Class = R ? R->Class : Site;
  P.F.FromHeap = R && R->From == Heap;
  P.F.Outside = R && R->From == Outside;
  if (!U.locate(P, isa<CXXMemberCallExpr>(CE) ? CE->getExprLoc()
                                              : CE->getBeginLoc()))
    return;
  if (Left.Name) {
    P.F.What = Finding::State::Left;
    P.F.Reason = Left.Name;
    P.F.Listed = Left.IsSite && !isUserDefined(U, FD);
    return U.add(std::move(P));
  }
  // With EVENKEEL_DISABLE, and in composed forms, the macro contains the plain
  // call.
  SourceLocation Spelled = U.SM.getSpellingLoc(Callee->getExprLoc());
  const StringRef Header = U.SM.getFilename(Spelled);
  if (Spelled.isValid() && Callee->getExprLoc().isMacroID() &&
      (Header.ends_with("evenkeel/ek.h") || Header.ends_with(IdsHeaderName))) {
    if (Name != "MPI_Alloc_mem" || !insideAnnotated()) {
      P.F.What = Finding::State::Already;
      U.add(std::move(P));
    }
    return;
  }
  bool Mapping = R->Class == Site && StringRef(R->Page) == "mmap";
  QualType Result = FD->getReturnType();
  bool Pointer = R->Class == Site &&
                 !StringRef(R->Function).contains("posix_memalign") &&
                 !StringRef(R->Function).contains("MPI_");
  std::optional<std::string> Cast =
      Pointer ? castTo(U, Result) : std::optional<std::string>("");
  P.MakeEdits = [this, CE, R, Cast](Pending &P) {
    makeEdits(P, CE, *R, *Cast);
  };
  if (isUserDefined(U, FD))
    skipUnlisted(P, "user-allocator");
  else if (Mapping && !mayBeAnonymous(U, CE))
    skip(P, "file-mapping");
  else if (CE->getNumArgs() != R->Params)
    skip(P, "argument-list");
  else if (!Cast || !argumentsFit(U, CE, FD, *R))
    skip(P, "own-prototype");
  else
    U.checkPlace(P, CE->getCallee()->getBeginLoc());
  const bool Fits = R->Class == Site ? Cast->empty() : R->From == Heap;
  if (P.IsInMacroBody && Fits) {
    P.MacroTokens = {nameOfCallee(CE)};
    P.MacroDepth = U.Stack.size();
    P.EditMacro = [this, CE, R](Pending &P, MacroText &M,
                                llvm::ArrayRef<size_t> At) {
      return editMacro(P, CE, *R, M, At[0]);
    };
    if (R->Class == Site) {
      unskip(P);
      P.MakeEdits = nullptr;
    }
  }
  U.add(std::move(P));
}

void AllocationCalls::reference(const DeclRefExpr *DRE) {
  reference(DRE, dyn_cast<FunctionDecl>(DRE->getDecl()), DRE->getLocation());
}
void AllocationCalls::reference(const UnresolvedLookupExpr *ULE) {
  reference(ULE, namedFunction(ULE), ULE->getNameLoc());
}

void AllocationCalls::reference(const Expr *E, const FunctionDecl *FD,
                                SourceLocation Loc) {
  if (!FD || !isLibraryLevel(FD) || !ruleFor(FD->getName()) || Callees.count(E))
    return;
  Pending P;
  P.F.Class = Finding::Group::Reference;
  P.F.Key.Kind = "reference";
  P.F.Form = FD->getName().str();
  skip(P, "address-taken");
  if (U.locate(P, Loc))
    U.add(std::move(P));
}

void AllocationCalls::annotatedCall(const CallExpr *CE, const char *Function) {
  const AllocationRule *R = ruleFor(Function);
  Pending P;
  P.F.FromHeap = R->From == Heap;
  P.F.Outside = R->From == Outside;
  P.F.Key.Kind = "site";
  P.F.Form = R->Function;
  P.F.What = Finding::State::Already;
  P.F.Class = R->Class;
  if (R->Class == Site && CE->getNumArgs() > 0)
    P.LiteralId = literal(CE->getArg(0));
  if (U.locate(P, CE->getBeginLoc()))
    U.add(std::move(P));
}

/// Renames the call at token \p Name of \p T, including its qualifier
/// (`std::`).
static void rename(const Unit &U, std::vector<MacroToken> &T, size_t Name,
                   const std::string &New) {
  auto IsName = [&](const MacroToken &M) {
    return isAsciiIdentifierStart(M.Text[0]) &&
           !U.Context.Idents.get(M.Text).isKeyword(U.LO);
  };
  size_t First = Name;
  while (First > 0 && T[First - 1].Text == "::") {
    --First;
    if (First > 0 && !T[First - 1].Text.empty() && IsName(T[First - 1]))
      --First;
  }
  T[Name].Space = T[First].Space;
  T[Name].Text = New;
  for (size_t I = First; I < Name; ++I)
    T[I].Text.clear();
}

/// Adds the id to the call at token \p Name of \p T.
static bool annotateToken(Unit &U, const Pending &P, const CallExpr *CE,
                          const AllocationRule &R, std::vector<MacroToken> &T,
                          size_t Name) {
  unsigned Depth = 0, Commas = 0;
  size_t I = Name + 1;
  for (; I < T.size(); ++I) {
    Depth += T[I].Text == "(";
    if (T[I].Text == ")" && --Depth == 0)
      break;
    Commas += T[I].Text == "," && Depth == 1;
    if (Depth == 0)
      return false;
  }
  if (I >= T.size() || Commas + 1 != CE->getNumArgs())
    return false;
  rename(U, T, Name,
         std::string(R.Replacement) + (U.saysShare(P) ? "_at" : ""));
  T[Name + 1].After = U.idArguments(P) + "," + T[Name + 1].After;
  if (Name + 2 < T.size())
    T[Name + 2].Space = true;
  return true;
}

/// Edits the call at token \p Name of an expanded macro use.
bool AllocationCalls::editMacro(Pending &P, const CallExpr *CE,
                                const AllocationRule &R, MacroText &M,
                                size_t Name) {
  std::vector<MacroToken> &T = M.Tokens;
  if (T[Name].Text != R.Function)
    return false;
  if (R.Class == Free) {
    rename(U, T, Name, R.Replacement);
    return true;
  }
  if (Name + 1 < T.size())
    return annotateToken(U, P, CE, R, T, Name);
  // `#define ALLOC malloc` supplies only the name; the arguments are not in the
  // macro.
  TokenTable &File = U.table(M.File);
  for (size_t I = M.afterUse(), Depth = 0; I < File.size(); ++I) {
    if (File[I].InDirective) {
      skip(P, "conditional-call");
      return false;
    }
    T.push_back({File.text(I).str(), true, {M.File, File[I].Offset}, {}});
    Depth += File[I].Kind == tok::l_paren;
    if (Depth == 0 || (File[I].Kind == tok::r_paren && --Depth == 0))
      break;
  }
  const bool Whole = annotateToken(U, P, CE, R, T, Name);
  T.resize(Name + 1);
  if (Whole)
    P.F.Edits.push_back(
        {File[M.afterUse()].end(), 0, 0, U.idArguments(P) + ", "});
  return Whole;
}

/// Whether one macro supplies two arguments of \p CE.
static bool haveOneText(const Unit &U, const CallExpr *CE) {
  std::set<SourceLocation> Begins;
  for (const Expr *A : CE->arguments())
    if (!Begins.insert(U.SM.getExpansionLoc(A->getBeginLoc())).second)
      return true;
  return false;
}

void AllocationCalls::makeEdits(Pending &P, const CallExpr *CE,
                                const AllocationRule &R,
                                const std::string &Cast) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  P.F.Anchor = Offset;
  if (!U.claimFile(P, FID))
    return;
  TokenTable &T = U.table(FID);
  auto [EndFID, EndOffset] =
      U.SM.getDecomposedLoc(U.spelledInFile(CE->getCallee()->getEndLoc()));
  size_t First = T.at(Offset);
  size_t Last = EndFID == FID ? T.at(EndOffset) : TokenTable::None;
  if (First == TokenTable::None || Last == TokenTable::None ||
      Last + 1 >= T.size() || T[Last + 1].Kind != tok::l_paren)
    return skipInMacroBody(P);
  if (T[First].InDirective)
    return skip(P, "in-directive");
  if (!T.sameConfigurations(First, Last + 1))
    return skip(P, "conditional-call");
  // Removing line ends would move the lines below (__LINE__).
  if (T.buffer().slice(T[First].Offset, T[Last].end()).find_first_of("\n\r") !=
      StringRef::npos)
    return skip(P, "spliced-token");
  // Keep everything else that selects the function (_Generic, a cast).
  for (size_t I = First; I <= Last; ++I)
    if (T[I].Kind != tok::l_paren && T[I].Kind != tok::r_paren &&
        T[I].Kind != tok::coloncolon && T.text(I) != R.Function &&
        (T[I].Kind != tok::raw_identifier || // namespaces
         T[I + 1].Kind != tok::coloncolon))
      return skip(P, "callee-form");
  // Count commas as the preprocessor does: the annotated call must also work as
  // a function-like macro.
  unsigned Depth = 0, Commas = 0;
  size_t I = Last + 1;
  for (; I < T.size(); ++I) {
    tok::TokenKind K = T[I].Kind;
    if (T[I].InDirective)
      continue;
    if (K == tok::l_paren)
      ++Depth;
    else if (K == tok::r_paren && --Depth == 0)
      break;
    else if (K == tok::comma && Depth == 1)
      ++Commas;
  }
  if (I < T.size() && hasDirective(T, Last + 1, I)) {
    if (!isWhole(T, Last + 1, I) || haveOneText(U, CE))
      return skip(P, "conditional-call");
  } else if (Commas + 1 != CE->getNumArgs()) {
    return skip(P, "argument-list");
  }
  if (U.Options.Library != LibraryCalls::None)
    return makeLibraryEdits(P, R, Cast, T, First, Last, I);
  std::string Name = R.Replacement;
  if (U.saysShare(P) && R.Class == Site)
    Name += "_at";
  P.F.Edits.push_back({T[First].Offset, T[Last].end() - T[First].Offset, 0,
                       Cast.empty() ? Name : "(" + Cast + Name});
  if (R.Class == Site)
    P.F.Edits.push_back({T[Last + 1].end(), 0, 0, U.idArguments(P) + ", "});
  if (!Cast.empty())
    P.F.Edits.push_back({T[I].end(), 0, 0, ")"});
  U.noteEdit(FID, T[First].Offset);
}

/// The call with the name at tokens \p First to \p Last and its closing
/// parenthesis at \p Close becomes one of a library, with a place for the kind
/// of memory.
void AllocationCalls::makeLibraryEdits(Pending &P, const AllocationRule &R,
                                       const std::string &Cast,
                                       const TokenTable &T, size_t First,
                                       size_t Last, size_t Close) {
  const LibraryForm *L = libraryForm(U.Options.Library, R.Function);
  if (!L || !Cast.empty() || Close >= T.size())
    return skip(P, "no-library-call");
  P.F.Edits.push_back(
      {T[First].Offset, T[Last].end() - T[First].Offset, 0, L->Name});
  if (*L->First)
    P.F.Edits.push_back({T[Last + 1].end(), 0, 0, L->First});
  if (*L->Last)
    P.F.Edits.push_back({T[Close].Offset, 0, 0, L->Last});
  U.noteEdit(U.SM.getFileID(P.Text), T[First].Offset);
}

} // namespace evenkeel

EK_REWRITE_RULE(AllocationCalls, 10)
