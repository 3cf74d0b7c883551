//===- Containers.cpp - library calls that allocate -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Containers.h. The annotation goes beside an operand (Operands):
//   v.resize(n)   ->   ((void)::ek::at(ID), v).resize(n)
//===----------------------------------------------------------------------===//
#include "Containers.h"
#include "allocators/LibraryCalls.h"
#include "unit/Spelling.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

//===--- Finding the calls ------------------------------------------------===//

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
                      bool Dependent, Operands::Wrap W, const char *Refused) {
  Use Found;
  Pending &P = Found.P;
  std::map<std::string, unsigned> OutsideRoot = U.Result.OutsideRoot;
  bool Located = U.locate(P, Place);
  U.Result.OutsideRoot = std::move(OutsideRoot);
  if (!Located)
    return;
  P.F.Class = Finding::Group::Site;
  P.F.Form = "container";
  P.F.Listed = false; // the IR has these only after inlining
  P.F.Key.Kind = "site";
  P.LiteralId = entityId(P.F.Key); // equal places share the id, as in the IR
  P.WithoutOrdinal = true;
  Found.Place = U.spelledInFile(Place);
  Found.Grows = Grows;
  Found.Dependent = Dependent;
  W.Depth = depthInFile(U, Place, U.Stack.size());
  W.Stacked = U.Stack.size();

  bool Coroutine = false, Unevaluated = false, Constant = U.InConstant;
  for (const Stmt *S : U.Stack) {
    Coroutine |= isa<CoroutineBodyStmt>(S);
    Unevaluated |= isa<RequiresExpr, CXXTypeidExpr>(S);
    Constant |= isa<ConstantExpr>(S);
  }
  if (Unevaluated)
    return;
  uint64_t Id = W.All ? temporaryIdAround(E, U.Stack, "ek::at")
                      : temporaryIdIn(W.Inside, "ek::at");
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
    Text.nest(E, W, Refused, [&](const Expr *Outer) {
      const FunctionDecl *FD = calledFunction(Outer);
      return FD && growsContainer(U.Context, Outer, FD);
    });
  P.MakeEdits = [this, W, Place](Pending &P) { makeEdits(P, W, Place); };
  if (Constant)
    skip(P, "constexpr");
  else if (Coroutine)
    skip(P, "coroutine"); // may continue on another thread
  else if (Refused)
    skip(P, Refused);
  else if (U.Options.Kept && W.Whole)
    skip(P, "kept-style");
  else
    U.checkPlace(P, Place);
  if (P.IsInMacroBody) // may be written out
    unskip(P);
  P.F.Listed = false;
  Uses.push_back(std::move(Found));
}

static bool isCopy(const Expr *E) {
  const auto *CE = dyn_cast<CXXConstructExpr>(E);
  return CE && CE->getConstructor()->isCopyOrMoveConstructor();
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
  // The C library's calls have their own rules.
  if (!Dependent &&
      (!FD || FD->isExternC() || !U.isInSystemHeader(FD->getLocation())))
    return;
  if (!U.LO.CPlusPlus)
    return;
  bool Grows = FD && growsContainer(U.Context, E, FD);
  const char *Refused = nullptr;
  if (const auto *CE = dyn_cast<CXXConstructExpr>(E)) {
    // Copies that do not appear in the source: of captures, members, elements.
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
  Operands::Wrap W;
  if (!Refused)
    W = Text.wrapOf(E, Refused);
  if (W.Inside && W.Inside->getSourceRange().isInvalid())
    Refused = "implicit-copy";
  // `return v` of a local variable may move; after a comma it would copy.
  if (const auto *DRE = dyn_cast_or_null<DeclRefExpr>(
          W.Inside ? W.Inside->IgnoreParens() : nullptr))
    for (size_t I = U.Stack.size(); isCopy(E) && I-- > 0;) {
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

/// `T v(n)`, `T v = w`, `: v(n)` with a type that depends on template
/// arguments.
void Containers::dependentInit(const Expr *Init, SourceLocation Place) {
  Operands::Wrap W;
  const char *Refused = nullptr;
  if (const auto *Full = dyn_cast<FullExpr>(Init)) // contains temporaries
    Init = Full->getSubExpr();
  if (auto *List = dyn_cast<ParenListExpr>(Init)) {
    std::vector<const Expr *> Args;
    for (unsigned I = 0; I < List->getNumExprs(); ++I)
      Args.push_back(List->getExpr(I));
    W.Inside = Text.firstSuitable(Args, Refused);
  } else if (isa<InitListExpr>(Init)) {
    Refused = "braced-initializer";
  } else if (Text.isSuitable(Init) && Init->IgnoreImplicit()->isLValue()) {
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
  if (VD->isCXXForRangeDecl()) { // a copy in each iteration, without text
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
  // In a macro use, everything has the same place: the plan's site there is the
  // one with a rule of its own.
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

void Containers::makeEdits(Pending &P, const Operands::Wrap &W,
                           SourceLocation Place) {
  if (P.Text.isValid())
    P.F.Anchor = U.SM.getDecomposedLoc(P.Text).second;
  annotate(U, P, W,
           U.Options.Kept ? keptAround("EK_AT")
                          : "((void)::ek::at(" + U.idArguments(P) + "), ",
           Place);
}

void Containers::finish() {
  for (const Finding &F : U.Result.Findings)
    Planned.erase(F.Id);
  for (auto &Entry : Planned)
    U.Result.Findings.push_back(std::move(Entry.second));
}

} // namespace evenkeel

EK_REWRITE_RULE(Containers, 60)
