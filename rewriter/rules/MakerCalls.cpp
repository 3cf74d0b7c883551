//===- MakerCalls.cpp - wrapper calls without a pointer result ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MakerCalls.h. The annotation is a temporary that lives as long as the
// full expression, around the call or beside one of its operands:
//   reserve(v, n);   ->   ((void)::ek::call(ID), reserve(v, n));
//   Field f(n);      ->   Field f(((void)::ek::maker(ID), n));
//   Field f;         ->   Field f = ((void)::ek::call(ID), decltype(f)());
//===----------------------------------------------------------------------===//
#include "MakerCalls.h"
#include "allocators/LibraryCalls.h"
#include "allocators/PointerTargets.h"
#include "unit/Instances.h"
#include "unit/OpenMPKinds.h"
#include "unit/Spelling.h"
#include "clang/AST/ExprConcepts.h"

namespace evenkeel {
using namespace clang;

/// `new Field(n)` if \p E, on top of \p Stack, is its constructor; else \p E.
static const Expr *withNew(const Expr *E, llvm::ArrayRef<const Stmt *> Stack) {
  for (size_t I = Stack.size(); I-- > 0;)
    if (const auto *New = dyn_cast<CXXNewExpr>(Stack[I]))
      return New->getConstructExpr() == E ? New : E;
    else if (const auto *Outer = dyn_cast<Expr>(Stack[I]);
             !Outer || Outer->IgnoreImplicit() != E)
      break;
  return E;
}

void MakerCalls::note(const Expr *E, SourceLocation Place,
                      const FunctionDecl *FD, Operands::Wrap W,
                      const char *Refused) {
  for (const Stmt *S : U.Stack)
    if (isa<RequiresExpr, CXXTypeidExpr>(S))
      return;
  Pending P;
  P.F.Class = Finding::Group::Call;
  P.F.Key.Kind = "wrapper-call";
  P.F.Form = FD ? FD->getQualifiedNameAsString() : "constructor";
  P.F.Listed = false;
  P.F.Outside = true; // it is a wrapper whoever defines malloc
  if (!U.locate(P, Place))
    return;
  W.Depth = depthInFile(U, Place, U.Stack.size());
  W.Stacked = U.Stack.size();
  uint64_t Id = W.All ? temporaryIdAround(E, U.Stack, "ek::call")
                      : temporaryIdIn(W.Inside, "ek::maker");
  if (!Refused && !Id && W.Inside)
    Text.nest(withNew(E, U.Stack), W, Refused,
              [](const Expr *) { return true; });
  bool Constant = U.InConstant || U.inConstexprFunction();
  for (const Stmt *S : U.Stack) {
    Constant |= isa<ConstantExpr>(S);
    if (isa<CoroutineBodyStmt>(S))
      Refused = "coroutine"; // may continue on another thread
  }
  for (const OMPExecutableDirective *D : U.Frames.back().Directives)
    if (isDeviceDirective(D->getDirectiveKind()))
      Refused = "device-directive";
  if (Id) {
    P.LiteralId = Id;
    P.F.What = Finding::State::Already;
  } else if (U.InMemberInit || U.InDefaultArgument) {
    skip(P, U.InMemberInit ? "member-initializer" : "default-argument");
  } else if (Constant) {
    skip(P, "constexpr");
  } else if (Refused) {
    skip(P, Refused);
  } else if (U.Options.Kept) {
    skip(P, "kept-style");
  } else {
    U.checkPlace(P, Place);
    if (P.IsInMacroBody) // may be written out
      unskip(P);
  }
  P.F.Listed = false;
  if (!P.LiteralId) // equal places share the id, as in the IR
    P.LiteralId = entityId(P.F.Key);
  P.WithoutOrdinal = true;
  P.MakeEdits = [this, E, W, Place](Pending &P) { makeEdits(P, E, W, Place); };
  if (FD)
    U.add(std::move(P));
  else
    Undecided.push_back({std::move(P), U.spelledInFile(Place)});
}

/// Whether the variable before \p Made has no other initialiser.
bool MakerCalls::isBare(const CXXConstructExpr *Made) const {
  if (Made->getNumArgs() > 0 || Made->isListInitialization() ||
      Made->getParenOrBraceRange().isValid() || U.Stack.size() < 2)
    return false;
  const auto *DS = dyn_cast<DeclStmt>(U.Stack[U.Stack.size() - 2]);
  return DS && !Made->getType()->isArrayType() &&
         llvm::any_of(DS->decls(), [&](const Decl *D) {
           const auto *VD = dyn_cast<VarDecl>(D);
           return VD && VD->getInit() == Made && !VD->isCXXForRangeDecl() &&
                  !VD->getTypeSourceInfo()
                       ->getType()
                       ->getContainedDeducedType();
         });
}

void MakerCalls::expression(const Expr *E) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && Operator->getOperator() != OO_Call)
    return;
  if (!U.LO.CPlusPlus ||
      !isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr>(E))
    return;
  const auto *Call = dyn_cast<CallExpr>(E);
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  const FunctionDecl *FD = calledFunction(E);
  if (Call && (E->getType()->isPointerType() || isVirtualCall(Call)))
    return;
  if (!FD) {
    if (Call && !Call->isTypeDependent())
      return; // an indirect call
  } else if (!Functions.contains(FD)) {
    return Functions.noteElsewhere(FD);
  }
  if (Made && (Made->isElidable() || E->getBeginLoc().isInvalid()))
    return;
  Operands::Wrap W;
  const char *Refused = nullptr;
  if (Call && !Call->isTypeDependent() &&
      (E->isGLValue() || !E->getType()->isRecordType())) {
    W.Inside = E;
    W.All = true;
  } else {
    W = Text.wrapOf(E, Refused);
    if (!W.Inside && !Refused)
      Refused = "no-operand";
    if (Made && isBare(Made) && U.LO.CPlusPlus17) {
      Refused = nullptr;
      W.Inside = E;
      W.All = true;
    }
    if (W.Inside && W.Inside->getSourceRange().isInvalid())
      Refused = "implicit-copy";
  }
  note(E, placeOfCall(E), FD, W, Refused);
}

/// `T v(n)`, `: v(n)` with a type that depends on template arguments.
void MakerCalls::dependentInit(const Expr *Init, SourceLocation Place) {
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    Init = Full->getSubExpr();
  const auto *List = dyn_cast<ParenListExpr>(Init);
  if (!List)
    return;
  std::vector<const Expr *> Args;
  for (unsigned I = 0; I < List->getNumExprs(); ++I)
    Args.push_back(List->getExpr(I));
  Operands::Wrap W;
  const char *Refused = nullptr;
  W.Inside = Text.firstSuitable(Args, Refused);
  note(Init, Place, nullptr, W, Refused);
}

void MakerCalls::variable(const VarDecl *VD) {
  if (VD->hasInit() && !isa<ParmVarDecl>(VD) && !VD->isConstexpr() &&
      VD->getType()->isDependentType())
    dependentInit(VD->getInit(), VD->getLocation());
}

void MakerCalls::initializer(const CXXCtorInitializer *Init) {
  if (Init->isWritten())
    dependentInit(Init->getInit(), Init->getSourceLocation());
}

void MakerCalls::decide() {
  if (Undecided.empty())
    return;
  struct Visitor : InstanceVisitor<Visitor> {
    MakerCalls &Calls;
    std::map<SourceLocation, const FunctionDecl *> Places;
    explicit Visitor(MakerCalls &Calls) : Calls(Calls) {}
    bool VisitExpr(Expr *E) {
      const FunctionDecl *FD = calledFunction(E);
      const auto *CE = dyn_cast<CallExpr>(E);
      if (!FD || (CE && isVirtualCall(CE)) || !Calls.Functions.contains(FD))
        return true;
      if (SourceLocation L = Calls.U.spelledInFile(placeOfCall(E)); L.isValid())
        Places[L] = FD;
      return true;
    }
  } Visit(*this);
  Visit.walk(U);
  for (auto &[P, Place] : Undecided)
    if (auto It = Visit.Places.find(Place); It != Visit.Places.end()) {
      P.F.Form = It->second->getQualifiedNameAsString();
      U.add(std::move(P));
    }
  Undecided.clear();
}

/// Adds an initialiser after the name of a variable that has none.
void MakerCalls::appendTo(Pending &P) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  TokenTable &T = U.table(FID);
  size_t I = T.at(Offset);
  if (I == TokenTable::None || T[I].InDirective || I + 1 >= T.size() ||
      (T[I + 1].Kind != tok::semi && T[I + 1].Kind != tok::comma))
    return skip(P, "no-operand");
  if (!U.claimFile(P, FID))
    return;
  P.F.Edits.push_back({T[I].end(), 0, 0,
                       " = ((void)::ek::call(" + idLiteral(P.F.Id) +
                           "), decltype(" + T.text(I).str() + ")())"});
  P.F.Anchor = Offset;
  U.noteEdit(FID, Offset);
}

void MakerCalls::makeEdits(Pending &P, const Expr *E, const Operands::Wrap &W,
                           SourceLocation Place) {
  if (isa<CXXConstructExpr>(E) && W.All)
    return P.Text.isValid() ? appendTo(P) : skipInMacroBody(P);
  annotate(U, P, W,
           std::string("((void)::ek::") + (W.All ? "call(" : "maker(") +
               idLiteral(P.F.Id) + "), ",
           Place);
  if (!P.F.Edits.empty())
    P.F.Anchor = P.F.Edits.back().Offset;
}

} // namespace evenkeel

EK_REWRITE_RULE_OF_WRAPPERS(MakerCalls, 70)
