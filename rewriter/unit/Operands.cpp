//===- Operands.cpp - annotations beside an operand of a call -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Operands.h.
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "MacroUses.h"
#include "clang/AST/DeclCXX.h"

namespace evenkeel {
using namespace clang;

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

uint64_t temporaryIdIn(const Expr *E, llvm::StringRef Class) {
  const auto *Paren = E ? dyn_cast<ParenExpr>(E->IgnoreImplicit()) : nullptr;
  return Paren ? temporaryId(dyn_cast<BinaryOperator>(
                                 Paren->getSubExpr()->IgnoreImplicit()),
                             Class)
               : 0;
}

uint64_t temporaryIdAround(const Expr *E, llvm::ArrayRef<const Stmt *> Stack,
                           llvm::StringRef Class) {
  for (size_t I = Stack.size(); I-- > 0;)
    if (const auto *Comma = dyn_cast<BinaryOperator>(Stack[I]))
      return Comma->getRHS()->IgnoreImplicit() == E ? temporaryId(Comma, Class)
                                                    : 0;
    else if (const auto *Outer = dyn_cast<Expr>(Stack[I]);
             !Outer || Outer->IgnoreImplicit() != E)
      return 0;
  return 0;
}

//===--- Operands ---------------------------------------------------------===//

/// Whether `((void)x, Arg)` means the same as Arg there.
bool Operands::isSuitable(const Expr *Arg) const {
  bool Bound = false; // to a reference parameter
  for (const Expr *E = Arg;;) {
    if (isa<CXXDefaultArgExpr, CXXStdInitializerListExpr, InitListExpr,
            PackExpansionExpr>(E))
      return false;
    Bound |= isa<MaterializeTemporaryExpr>(E);
    // After a comma, a null pointer constant is no longer a constant.
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
    return false; // one of several overloads, which the context selects
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
  // Before C++17, a temporary after a comma is copied into the parameter.
  return U.LO.CPlusPlus17 || Bound || !E->getType()->isRecordType() ||
         !E->isPRValue();
}

const Expr *Operands::firstSuitable(llvm::ArrayRef<const Expr *> Args,
                                    const char *&Refused) const {
  for (const Expr *Arg : Args)
    if (isSuitable(Arg))
      return Arg->IgnoreImplicit();
  Refused = "no-operand";
  return nullptr;
}

/// Whether \p Arg stays valid in braces: after a comma, a value is no longer a
/// constant, and its conversion may narrow.
static bool isExact(const Expr *Arg) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Arg);
  return !Cast || ((Cast->getCastKind() == CK_LValueToRValue ||
                    Cast->getCastKind() == CK_NoOp) &&
                   !isa<ImplicitCastExpr>(Cast->getSubExpr()));
}

Operands::Wrap Operands::wrapOf(const Expr *E, const char *&Refused) const {
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
  // In `p->resize(n)` with an overloaded arrow, the operand is `p`.
  while (W.Inside) {
    const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(W.Inside);
    if (!Arrow || Arrow->getOperator() != OO_Arrow)
      return W;
    W.Inside = Arrow->getArg(0)->IgnoreImplicit();
  }
  std::vector<const Expr *> Args(CE->arg_begin(), CE->arg_end());
  W.Inside = firstSuitable(Args, Refused);
  // make_unique<T>() has no operand, but its result can be moved.
  if (!W.Inside && CE->getNumArgs() == 0 && CE->getType()->isRecordType() &&
      CE->isPRValue()) {
    Refused = nullptr;
    W.Inside = CE;
    W.All = true;
  }
  return W;
}

//===--- Surroundings -----------------------------------------------------===//

bool isCall(const Stmt *S) {
  return isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr, CXXNewExpr,
             ParenListExpr>(S);
}

/// If \p E is an operand of another call, its annotation has to end before that
/// call begins. `ek::done` does this wherever the value is passed by reference.
void Operands::nest(const Expr *E, Wrap &W, const char *&Refused,
                    llvm::function_ref<bool(const Expr *)> Claims) const {
  const Expr *Top = E; // E with the expressions around it that have no text
  bool Bound = false, Direct = true;
  size_t I = U.Stack.size();
  if (auto At = llvm::find(U.Stack, E); At != U.Stack.end())
    I = At - U.Stack.begin();
  while (I-- > 0) {
    const Stmt *S = U.Stack[I];
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
    // The result decides: a temporary has to be bound to a reference right
    // here, because after a function call it is not a temporary any more.
    bool Scalar = !E->isTypeDependent() && E->getType()->isScalarType();
    if (!E->isTypeDependent() &&
        (E->isGLValue() || Scalar || (Bound && Direct)))
      W.Whole = Top;
    else if (const auto *F = dyn_cast<Expr>(S); F && Claims(F))
      Refused = "nested-expression"; // the outer memory would count as ours
    return;
  }
}

//===--- Edits ------------------------------------------------------------===//

void annotate(Unit &U, Pending &P, const Operands::Wrap &W,
              const std::string &Before, SourceLocation Name) {
  const std::string Done = "::ek::done(" + idLiteral(P.F.Id) + ", ";
  const int Rank = static_cast<int>(W.Depth) * 4;
  if (P.Text.isValid()) {
    if ((W.Whole && !U.putAround(P, W.Whole, Done, ")", Rank)) ||
        !U.putAround(P, W.Inside, Before, ")", W.All ? Rank + 1 : Rank + 2))
      P.F.Edits.clear();
    if (P.F.What == Finding::State::Rewritten || !P.IsInMacroBody)
      return;
  }
  std::vector<MacroRange> Ranges;
  if (W.Whole)
    Ranges.push_back({W.Whole->getBeginLoc(), W.Whole->getEndLoc(), Done, ")"});
  Ranges.push_back(
      {W.Inside->getBeginLoc(), W.Inside->getEndLoc(), Before, ")"});
  editInMacro(P, Name, std::move(Ranges), W.Stacked);
}

} // namespace evenkeel
