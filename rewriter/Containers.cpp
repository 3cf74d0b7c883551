//===- Containers.cpp - calls of libraries that allocate ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header. An annotation is a temporary, made before the operand
// it stands beside is evaluated and destroyed with the full expression:
//   v.resize(n)   ->   ((void)::ek::at(ID), v).resize(n)
// A comma keeps type and value category of its right operand, so overloads,
// elision and references are as before.
//===----------------------------------------------------------------------===//
#include "Containers.h"
#include "LibraryCalls.h"
#include "Spelling.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

//===--- What is annotated already ----------------------------------------===//

uint64_t temporaryId(const BinaryOperator *Comma, llvm::StringRef Class) {
  if (!Comma || Comma->getOpcode() != BO_Comma)
    return 0;
  const auto *Void = dyn_cast<CStyleCastExpr>(Comma->getLHS());
  if (!Void)
    return 0;
  const Expr *Made = Void->getSubExpr()->IgnoreImplicit();
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(Made))
    Made = Cast->getSubExpr()->IgnoreImplicit();
  const auto *CE = dyn_cast<CXXConstructExpr>(Made);
  if (!CE || CE->getNumArgs() == 0 ||
      CE->getConstructor()->getParent()->getQualifiedNameAsString() != Class)
    return 0;
  return literal(CE->getArg(0));
}

static uint64_t annotation(const BinaryOperator *Comma) {
  return temporaryId(Comma, "ek::at");
}

static uint64_t annotation(const Expr *E) {
  const auto *Paren = dyn_cast<ParenExpr>(E->IgnoreImplicit());
  return Paren ? annotation(dyn_cast<BinaryOperator>(
                     Paren->getSubExpr()->IgnoreImplicit()))
               : 0;
}

/// The same where \p E itself, on top of \p Stack, is the right operand.
static uint64_t annotationAround(const Expr *E,
                                 llvm::ArrayRef<const Stmt *> Stack) {
  for (size_t I = Stack.size(); I-- > 0;)
    if (const auto *Comma = dyn_cast<BinaryOperator>(Stack[I]))
      return Comma->getRHS()->IgnoreImplicit() == E ? annotation(Comma) : 0;
    else if (const auto *Outer = dyn_cast<Expr>(Stack[I]);
             !Outer || Outer->IgnoreImplicit() != E)
      return 0;
  return 0;
}

//===--- Operands ---------------------------------------------------------===//

/// Whether `((void)x, Arg)` means the same as Arg there.
bool Containers::isSuitable(const Expr *Arg) const {
  bool Bound = false; // to a reference
  for (const Expr *E = Arg;;) {
    if (isa<CXXDefaultArgExpr, CXXStdInitializerListExpr, InitListExpr,
            PackExpansionExpr>(E))
      return false;
    Bound |= isa<MaterializeTemporaryExpr>(E);
    // A null pointer constant would be none behind a comma.
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      if (Cast->getCastKind() == CK_NullToPointer ||
          Cast->getCastKind() == CK_NullToMemberPointer)
        return false;
    const Expr *Inner = E;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      Inner = Cast->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      Inner = Temporary->getSubExpr();
    else if (const auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
      Inner = Bind->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(E))
      Inner = Full->getSubExpr();
    if (Inner == E)
      break;
    E = Inner;
  }
  const Expr *E = Arg->IgnoreImplicit();
  if (isa<GNUNullExpr, UnresolvedLookupExpr, UnresolvedMemberExpr>(E) ||
      E->getType()->isPlaceholderType() || E->getType()->isFunctionType())
    return false; // of several functions of one name, the context picks one
  if (const auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParens()))
    if (Address->getOpcode() == UO_AddrOf &&
        (Address->getSubExpr()->getType()->isFunctionType() ||
         Address->getSubExpr()->getType()->isPlaceholderType()))
      return false;
  if (E->isTypeDependent())
    return U.LO.CPlusPlus17 || E->isLValue();
  if (const auto *Zero = dyn_cast<IntegerLiteral>(E))
    if (Zero->getValue() == 0 && Arg->getType()->isIntegerType() == false)
      return false;
  // Before C++17, a temporary behind a comma is copied into the parameter.
  return U.LO.CPlusPlus17 || Bound || !E->getType()->isRecordType() ||
         !E->isPRValue();
}

const Expr *Containers::firstSuitable(llvm::ArrayRef<const Expr *> Args,
                                      const char *&Refused) const {
  for (const Expr *Arg : Args)
    if (isSuitable(Arg))
      return Arg->IgnoreImplicit();
  Refused = "no-operand";
  return nullptr;
}

/// In a list, a value behind a comma is no constant any more, and a conversion
/// may narrow.
static bool isExact(const Expr *Arg) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Arg);
  return !Cast || ((Cast->getCastKind() == CK_LValueToRValue ||
                    Cast->getCastKind() == CK_NoOp) &&
                   !isa<ImplicitCastExpr>(Cast->getSubExpr()));
}

Containers::Wrap Containers::wrapOf(const Expr *E, const char *&Refused) const {
  Wrap W;
  if (const auto *CE = dyn_cast<CXXConstructExpr>(E)) {
    std::vector<const Expr *> Args(CE->arg_begin(), CE->arg_end());
    if (CE->isListInitialization()) {
      Refused = "braced-initializer";
      for (const Expr *Arg : Args)
        if (!isa<CXXDefaultArgExpr>(Arg) && !isExact(Arg))
          return W;
      Refused = nullptr;
    }
    W.Inside = firstSuitable(Args, Refused);
    return W;
  }
  if (const auto *CE = dyn_cast<CXXUnresolvedConstructExpr>(E)) {
    std::vector<const Expr *> Args(CE->arg_begin(), CE->arg_end());
    if (CE->isListInitialization())
      Refused = "braced-initializer";
    else
      W.Inside = firstSuitable(Args, Refused);
    return W;
  }
  if (const auto *BO = dyn_cast<BinaryOperator>(E)) {
    W.Inside = BO->getLHS()->IgnoreImplicit();
    return W;
  }
  const auto *CE = cast<CallExpr>(E);
  if (isa<CXXOperatorCallExpr>(CE)) {
    W.Inside = CE->getArg(0)->IgnoreImplicit();
    return W;
  }
  const Expr *Callee = CE->getCallee()->IgnoreParenImpCasts();
  if (const auto *M = dyn_cast<MemberExpr>(Callee)) {
    if (!M->isImplicitAccess())
      W.Inside = M->getBase()->IgnoreImplicit();
  } else if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee)) {
    if (!M->isImplicitAccess())
      W.Inside = M->getBase()->IgnoreImplicit();
  } else if (const auto *M = dyn_cast<UnresolvedMemberExpr>(Callee)) {
    if (!M->isImplicitAccess())
      W.Inside = M->getBase()->IgnoreImplicit();
  }
  // Of `p->resize(n)` through a class's own arrow, `p` is the operand.
  while (W.Inside) {
    const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(W.Inside);
    if (!Arrow || Arrow->getOperator() != OO_Arrow)
      return W;
    W.Inside = Arrow->getArg(0)->IgnoreImplicit();
  }
  std::vector<const Expr *> Args(CE->arg_begin(), CE->arg_end());
  W.Inside = firstSuitable(Args, Refused);
  // make_unique<T>() has nothing inside, and what it returns can be moved.
  if (!W.Inside && CE->getNumArgs() == 0 && CE->getType()->isRecordType() &&
      CE->isPRValue()) {
    Refused = nullptr;
    W.Inside = CE;
    W.All = true;
  }
  return W;
}

//===--- Surroundings -----------------------------------------------------===//

static bool isCall(const Stmt *S) {
  return isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr, CXXNewExpr,
             ParenListExpr>(S);
}

/// Inside of another call's operands, the annotation has to end before that
/// call begins. `ek::done` can do that wherever the value passes by reference.
void Containers::nest(const Expr *E, Wrap &W, const char *&Refused) const {
  const Expr *Top = E; // E with what surrounds it without text of its own
  bool Bound = false, Direct = true;
  for (size_t I = U.Stack.size(); I-- > 0;) {
    const Stmt *S = U.Stack[I];
    if (S == E)
      continue;
    const auto *Outer = dyn_cast<Expr>(S);
    if (!Outer || isa<LambdaExpr, StmtExpr>(S))
      return;
    if (isa<CXXFunctionalCastExpr>(S) && Direct &&
        cast<CXXFunctionalCastExpr>(S)->getSubExpr()->IgnoreImplicit() == E) {
      Top = Outer;
      continue;
    }
    if (const auto *CE = dyn_cast<CXXConstructExpr>(S); CE && CE->isElidable())
      continue;
    if (!isCall(S)) {
      if (isa<MaterializeTemporaryExpr>(S))
        Bound |= Direct;
      else if (!isa<ImplicitCastExpr, CXXBindTemporaryExpr, FullExpr>(S))
        Direct = false;
      continue;
    }
    // What it returns decides; a temporary has to be bound to a reference
    // right here, because behind a function call it is none any more.
    bool Scalar = !E->isTypeDependent() && E->getType()->isScalarType();
    if (!E->isTypeDependent() &&
        (E->isGLValue() || Scalar || (Bound && Direct)))
      W.Whole = Top;
    else if (const auto *F = dyn_cast<Expr>(S);
             F && calledFunction(F) &&
             growsContainer(U.Context, F, calledFunction(F)))
      Refused = "nested-expression"; // the outer one's memory would be ours
    return;
  }
}

//===--- Finding them -----------------------------------------------------===//

void Containers::notePlanned(SourceLocation Loc) {
  if (!U.Options.Planned)
    return;
  Pending P;
  std::map<std::string, unsigned> OutsideRoot = U.Result.OutsideRoot;
  bool Located = U.locate(P, Loc);
  U.Result.OutsideRoot = std::move(OutsideRoot);
  if (!Located)
    return;
  P.F.Key.Kind = "site";
  P.F.Id = entityId(P.F.Key);
  if (!U.Options.Planned->count(P.F.Id))
    return;
  P.F.Class = Finding::Group::Site;
  P.F.Form = "container";
  skipUnlisted(P, "container");
  Planned.emplace(P.F.Id, std::move(P.F));
}

void Containers::note(const Expr *E, SourceLocation Place, bool Grows,
                      bool Dependent, Wrap W, const char *Refused) {
  Use Found;
  Pending &P = Found.P;
  std::map<std::string, unsigned> OutsideRoot = U.Result.OutsideRoot;
  bool Located = U.locate(P, Place);
  U.Result.OutsideRoot = std::move(OutsideRoot);
  if (!Located)
    return;
  P.F.Class = Finding::Group::Site;
  P.F.Form = "container";
  P.F.Listed = false; // the IR has these behind inlining only
  P.F.Key.Kind = "site";
  P.LiteralId = entityId(P.F.Key); // equals share it, as in the IR
  Found.Place = U.spelledInFile(Place);
  Found.Grows = Grows;
  Found.Dependent = Dependent;
  W.Depth = depthInFile(U, Place, U.Stack.size());

  bool Coroutine = false, Unevaluated = false, Constant = U.InConstant;
  for (const Stmt *S : U.Stack) {
    Coroutine |= isa<CoroutineBodyStmt>(S);
    Unevaluated |= isa<RequiresExpr, CXXTypeidExpr>(S);
    Constant |= isa<ConstantExpr>(S);
  }
  if (Unevaluated)
    return;
  uint64_t Id = W.All      ? annotationAround(E, U.Stack)
                : W.Inside ? annotation(W.Inside)
                           : 0;
  if (Id) {
    P.LiteralId = Id;
    P.F.What = Finding::State::Already;
    if (Found.Place.isValid())
      P.F.Anchor = U.SM.getFileOffset(Found.Place);
    Found.Grows = true;
    Found.Dependent = false;
    Uses.push_back(std::move(Found));
    return;
  }
  if (U.inConstexprFunction())
    Constant = true;
  if (!Refused && W.Inside)
    nest(E, W, Refused);
  P.MakeEdits = [this, W](Pending &P) { makeEdits(P, W); };
  if (Constant)
    skip(P, "constexpr");
  else if (Coroutine)
    skip(P, "coroutine"); // may go on in another thread
  else if (Refused)
    skip(P, Refused);
  else
    U.checkPlace(P, Place);
  P.F.Listed = false;
  Uses.push_back(std::move(Found));
}

void Containers::expression(const Expr *E) {
  if (!isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr,
           BinaryOperator>(E))
    return;
  const auto *BO = dyn_cast<BinaryOperator>(E);
  if (BO && !(BO->isAssignmentOp() && BO->isTypeDependent()))
    return;
  if (U.Options.Planned)
    for (SourceLocation Loc :
         {placeOfCall(E), E->getExprLoc(), E->getBeginLoc()})
      notePlanned(Loc);
  SourceLocation Place = placeOfCall(E);
  const FunctionDecl *FD = calledFunction(E);
  bool Dependent = !FD && (BO || isa<CXXUnresolvedConstructExpr>(E) ||
                           cast<CallExpr>(E)->isTypeDependent());
  // The C library's calls have rules of their own.
  if (!Dependent &&
      (!FD || FD->isExternC() || !U.isInSystemHeader(FD->getLocation())))
    return;
  if (!U.LO.CPlusPlus)
    return;
  bool Grows = FD && growsContainer(U.Context, E, FD);
  const char *Refused = nullptr;
  if (const auto *CE = dyn_cast<CXXConstructExpr>(E)) {
    // Copies that are nobody's text: of captures, of members, of elements.
    if (CE->getNumArgs() == 0 || CE->isElidable() ||
        CE->getConstructor()->isMoveConstructor())
      return;
    if (CE->getConstructor()->isCopyConstructor() && !U.Stack.empty() &&
        CE->getArg(0)->getSourceRange().isInvalid())
      Refused = "implicit-copy";
    if (U.Stack.size() > 1)
      if (const auto *L = dyn_cast<LambdaExpr>(U.Stack[U.Stack.size() - 2]))
        Refused = L->getBody() != E ? "implicit-copy" : Refused;
  }
  Wrap W;
  if (!Refused)
    W = wrapOf(E, Refused);
  if (W.Inside && W.Inside->getSourceRange().isInvalid())
    Refused = "implicit-copy";
  // `return v` of a variable may move; behind a comma it would copy.
  if (const auto *DRE = dyn_cast_or_null<DeclRefExpr>(
          W.Inside ? W.Inside->IgnoreParens() : nullptr))
    for (size_t I = U.Stack.size(); isa<CXXConstructExpr>(E) && I-- > 0;) {
      if (isa<ReturnStmt, CXXThrowExpr>(U.Stack[I])) {
        const auto *VD = dyn_cast<VarDecl>(DRE->getDecl());
        if (VD && VD->hasLocalStorage())
          Refused = "implicit-copy";
        break;
      }
      if (U.Stack[I] != E && isCall(U.Stack[I]))
        break;
    }
  note(E, Place, Grows, Dependent, W, Refused);
}

/// `T v(n)`, `T v = w`, `: v(n)` of a type that only instantiations know.
void Containers::dependentInit(const Expr *Init, SourceLocation Place) {
  Wrap W;
  const char *Refused = nullptr;
  if (const auto *Full = dyn_cast<FullExpr>(Init)) // has temporaries
    Init = Full->getSubExpr();
  if (auto *List = dyn_cast<ParenListExpr>(Init)) {
    std::vector<const Expr *> Args;
    for (unsigned I = 0; I < List->getNumExprs(); ++I)
      Args.push_back(List->getExpr(I));
    W.Inside = firstSuitable(Args, Refused);
  } else if (isa<InitListExpr>(Init)) {
    Refused = "braced-initializer";
  } else if (isSuitable(Init) && Init->IgnoreImplicit()->isLValue()) {
    W.Inside = Init->IgnoreImplicit();
  } else {
    return;
  }
  note(Init, Place, false, true, W, Refused);
}

void Containers::variable(const VarDecl *VD) {
  if (!VD->hasInit() || isa<ParmVarDecl>(VD))
    return;
  const Expr *Init = VD->getInit();
  if (VD->isCXXForRangeDecl()) { // a copy for every turn, spelled nowhere
    const FunctionDecl *FD = calledFunction(Init->IgnoreImplicit());
    if (FD && growsContainer(U.Context, Init->IgnoreImplicit(), FD))
      note(Init, placeOfCall(Init->IgnoreImplicit()), true, false, {},
           "implicit-copy");
    return;
  }
  notePlanned(VD->getLocation());
  if (VD->getType()->isDependentType() && !VD->isConstexpr())
    dependentInit(Init, VD->getInitStyle() == VarDecl::CInit
                            ? Init->getBeginLoc()
                            : VD->getLocation());
}

void Containers::initializer(const CXXCtorInitializer *Init) {
  if (!Init->isWritten())
    return;
  notePlanned(Init->getSourceLocation());
  const Expr *E = Init->getInit();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  if (isa<ParenListExpr>(E))
    dependentInit(Init->getInit(), Init->getSourceLocation());
}

//===--- Deciding and editing ---------------------------------------------===//

void Containers::decide() {
  std::set<SourceLocation> Instances;
  bool Needed = std::any_of(Uses.begin(), Uses.end(),
                            [](const Use &X) { return X.Dependent; });
  if (Needed) {
    struct Visitor : RecursiveASTVisitor<Visitor> {
      Unit &U;
      std::set<SourceLocation> &Places;
      Visitor(Unit &U, std::set<SourceLocation> &Places)
          : U(U), Places(Places) {}
      bool shouldVisitTemplateInstantiations() const { return true; }
      bool VisitExpr(Expr *E) {
        const FunctionDecl *FD = calledFunction(E);
        if (FD && U.isInSystemHeader(FD->getLocation()) &&
            growsContainer(U.Context, E, FD))
          if (SourceLocation L = U.spelledInFile(placeOfCall(E)); L.isValid())
            Places.insert(L);
        return true;
      }
    } Visit(U, Instances);
    for (Decl *D : U.Context.getTranslationUnitDecl()->decls())
      if (!U.isInSystemHeader(D->getLocation()))
        Visit.TraverseDecl(D);
  }
  // Within the use of a macro, everything has one place: the plan speaks of the
  // site there that is one by itself.
  std::set<uint64_t> Sites;
  if (U.Options.Planned)
    for (const Pending &P : U.pending())
      if (P.F.Class == Finding::Group::Site)
        Sites.insert(entityId(P.F.Key)); // no ordinals yet
  for (Use &X : Uses) {
    bool InPlan = U.Options.Planned &&
                  U.Options.Planned->count(X.P.LiteralId) &&
                  !Sites.count(entityId(X.P.F.Key));
    if (X.Grows || InPlan || (X.Dependent && Instances.count(X.Place)))
      U.add(std::move(X.P));
  }
  Uses.clear();
}

void Containers::makeEdits(Pending &P, const Wrap &W) {
  P.F.Anchor = U.SM.getDecomposedLoc(P.Text).second;
  std::string Id = U.idArguments(P);
  int Rank = static_cast<int>(W.Depth) * 4;
  if (W.Whole &&
      !U.putAround(P, W.Whole, "::ek::done(" + idLiteral(P.F.Id) + ", ", ")",
                   Rank))
    return;
  U.putAround(P, W.Inside, "((void)::ek::at(" + Id + "), ", ")", Rank + 2);
}

void Containers::finish() {
  for (const Finding &F : U.Result.Findings)
    Planned.erase(F.Id);
  for (auto &Entry : Planned)
    U.Result.Findings.push_back(std::move(Entry.second));
}

} // namespace evenkeel
