//===- UsedData.cpp - which data a task's code reads and writes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UsedData.h.
//===----------------------------------------------------------------------===//
#include "UsedData.h"
#include "edits/Uncaptured.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

namespace evenkeel {
using namespace clang;

static bool leaves(const Stmt *S, bool AtEnd) {
  S = uncaptured(S);
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<ReturnStmt>(S))
    return !AtEnd;
  if (isa<BreakStmt>(S) || isa<ContinueStmt>(S) || isa<GotoStmt>(S) ||
      isa<CXXThrowExpr>(S))
    return true;
  const auto *C = dyn_cast<CompoundStmt>(S);
  for (const Stmt *Child : S->children())
    if (leaves(Child, AtEnd && C && Child == C->body_back()))
      return true;
  return false;
}

class UseWalk {
  CodeUses &All;
  Places At;
  UsedData &Out;
  unsigned Conditions = 0;

  void record(const Place &P, const std::optional<Bytes> &Length, Use U) {
    if (!P.Object || At.Own.count(P.Object->Root))
      return;
    U.Object = *P.Object;
    U.From = P.Offset;
    U.To =
        P.Offset && Length ? std::optional(*P.Offset + *Length) : std::nullopt;
    U.Array |= !P.Offset || !P.Offset->variables().empty();
    U.Always &= Conditions == 0;
    finish(std::move(U));
  }

  void finish(Use U) {
    std::optional<Bytes> Low = U.From, High = U.From, Unused = U.To, Top = U.To;
    if (!At.spread(Low, High) || !At.spread(Unused, Top))
      Low = Top = std::nullopt;
    U.From = Low;
    U.To = Top;
    Out.Uses.push_back(std::move(U));
  }

  void access(const Expr *L, bool Writes) {
    Use U;
    U.Writes = Writes;
    U.At = L->getBeginLoc();
    U.Element = At.sizeOf(L->getType());
    record(At.place(L), Bytes(U.Element), U);
  }

  /// Visits what is evaluated to find the place of \p L.
  void address(const Expr *L) {
    L = L->IgnoreParens();
    if (isa<DeclRefExpr>(L))
      return;
    for (const Stmt *Child : L->children())
      if (const auto *E = dyn_cast_or_null<Expr>(Child); E && E->isLValue())
        address(E);
      else
        visit(Child);
  }

  void under(const Stmt *S) {
    ++Conditions;
    visit(S);
    --Conditions;
  }

  void loop(const ForStmt *F) {
    const bool Leaves = leaves(F->getBody(), false);
    if (F->getInit())
      visit(F->getInit());
    const bool Counted = At.enter(F);
    if (F->getCond())
      visit(F->getCond());
    Conditions += Leaves;
    visit(F->getBody());
    Conditions -= Leaves;
    if (F->getInc())
      visit(F->getInc());
    if (Counted)
      At.leave();
  }

  void directive(const OMPExecutableDirective *D) {
    const OpenMPDirectiveKind K = D->getDirectiveKind();
    using namespace llvm::omp;
    Out.Waits |= isOpenMPTaskingDirective(K) || K == OMPD_taskgroup ||
                 K == OMPD_taskyield || K == OMPD_taskwait;
    // Threads of a team share a loop's iterations; together they make all.
    if (D->hasAssociatedStmt())
      visit(uncaptured(D->getRawStmt()));
  }

  //===--- Calls
  //------------------------------------------------------------===//

  bool libraryCall(const CallExpr *C, StringRef Name) {
    Name.consume_front("__builtin_");
    const int Kind = llvm::StringSwitch<int>(Name)
                         .Cases("memcpy", "memmove", 2)
                         .Case("memset", 1)
                         .Cases("free", "ek_free", "printf", "fprintf", 0)
                         .Default(-1);
    if (Kind <= 0 || C->getNumArgs() != 3)
      return Kind >= 0;
    const std::optional<Bytes> Length = At.number(C->getArg(2));
    for (int I = 0; I < Kind; ++I) {
      const Expr *A = C->getArg(static_cast<unsigned>(I));
      Use U;
      U.Writes = I == 0;
      U.Array = true;
      U.At = A->getBeginLoc();
      U.Element =
          At.sizeOf(A->IgnoreParenImpCasts()->getType()->getPointeeType());
      record(At.pointer(A), Length, U);
    }
    return true;
  }

  static bool isReference(const ParmVarDecl *P) {
    return P->getType()->isReferenceType();
  }

  Place argument(const Expr *A, const ParmVarDecl *P) const {
    return isReference(P)                              ? At.place(A)
           : P->getType()->isPointerType()             ? At.pointer(A)
           : A->isLValue() || isa<ImplicitCastExpr>(A) ? At.place(A)
                                                       : Place();
  }

  /// \p B, in terms of the parameters of \p F, in terms of the arguments.
  std::optional<Bytes> passed(std::optional<Bytes> B, const CallExpr *C,
                              const FunctionDecl *F) const {
    if (!B)
      return std::nullopt;
    for (const DataKey &K : B->variables()) {
      const auto *P = dyn_cast_or_null<ParmVarDecl>(K.Root);
      if (!P || P->getDeclContext() != F)
        continue;
      const unsigned I = P->getFunctionScopeIndex();
      const std::optional<Bytes> N = K.Path.empty() && I < C->getNumArgs()
                                         ? At.number(C->getArg(I))
                                         : std::nullopt;
      if (!N)
        return std::nullopt;
      B = B->with(K, *N);
    }
    return B;
  }

  void calledUse(Use U, const CallExpr *C, const FunctionDecl *F) {
    U.Always &= Conditions == 0;
    const auto *P = dyn_cast_or_null<ParmVarDecl>(U.Object.Root);
    std::optional<Bytes> From = passed(U.From, C, F), To = passed(U.To, C, F);
    if (!P || P->getDeclContext() != F) {
      if (!U.Object.Root) // members of another object
        return;
      U.From = From;
      U.To = To;
      U.At = C->getBeginLoc();
      return finish(std::move(U));
    }
    const unsigned I = P->getFunctionScopeIndex();
    if (I >= C->getNumArgs())
      return;
    const Place A = argument(C->getArg(I), P);
    StringRef Rest = U.Object.Path;
    const bool ByAddress = isReference(P) || P->getType()->isPointerType();
    if (!A.Object || At.Own.count(A.Object->Root) ||
        (ByAddress && !Rest.consume_front("*")))
      return;
    U.Object = {A.Object->Root, A.Object->Path + Rest.str()};
    if (U.Object.Path.empty() && !ByAddress)
      return; // a value of its own
    U.At = C->getArg(I)->getBeginLoc();
    if (Rest.empty()) { // offsets in the data that the argument points to
      U.Array |= !A.Offset || !A.Offset->variables().empty();
      From = From && A.Offset ? std::optional(*From + *A.Offset) : std::nullopt;
      To = To && A.Offset ? std::optional(*To + *A.Offset) : std::nullopt;
    }
    U.From = From;
    U.To = To;
    finish(std::move(U));
  }

  void call(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getIdentifier()) {
      Out.Acquires |=
          F->getName() == "ek_acquire" || F->getName() == "ek_acquire_all";
      if (libraryCall(C, F->getName()) || F->getName().starts_with("ek_"))
        return;
    }
    const FunctionDecl *Body = nullptr;
    if (F && F->hasBody(Body) && !isa<CXXOperatorCallExpr>(C)) {
      if (const UsedData *Its = All.ofFunction(Body)) {
        Out.Acquires |= Its->Acquires;
        Out.Waits |= Its->Waits;
        for (const Use &U : Its->Uses)
          calledUse(U, C, Body);
        return;
      }
    }
    for (const Expr *A : C->arguments()) {
      const QualType T = A->getType();
      if (!T->isPointerType() || T->getPointeeType()->isFunctionType() ||
          isa<CXXOperatorCallExpr>(C))
        continue;
      Use U;
      U.Writes = !T->getPointeeType().isConstQualified();
      if (const auto *Cast = dyn_cast<ImplicitCastExpr>(A); Cast && F) {
        // The parameter's type counts, not the argument's.
        U.Writes = !Cast->getType()->getPointeeType().isConstQualified();
      }
      U.Certain = false;
      U.Array = true;
      U.At = A->getBeginLoc();
      Place P = At.pointer(A);
      P.Offset = std::nullopt;
      record(P, std::nullopt, U);
    }
  }

public:
  UseWalk(CodeUses &All, UsedData &Out) : All(All), At(All.Context), Out(Out) {}

  void run(const Stmt *S, bool Function) {
    At.findChanges(S);
    Conditions += Function && leaves(S, true);
    visit(S);
  }

  void visit(const Stmt *S) {
    S = uncaptured(S);
    if (!S || isa<UnaryExprOrTypeTraitExpr>(S) || isa<LambdaExpr>(S))
      return;
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
      return directive(D);
    if (const auto *F = dyn_cast<ForStmt>(S))
      return loop(F);
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      for (const Decl *Its : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(Its)) {
          if (V->getInit())
            visit(V->getInit());
          At.declare(V);
        }
      return;
    }
    if (const auto *I = dyn_cast<IfStmt>(S)) {
      visit(I->getCond());
      under(I->getThen());
      under(I->getElse());
      return;
    }
    if (const auto *W = dyn_cast<WhileStmt>(S)) {
      visit(W->getCond());
      return under(W->getBody());
    }
    if (const auto *W = dyn_cast<SwitchStmt>(S)) {
      visit(W->getCond());
      return under(W->getBody());
    }
    if (const auto *E = dyn_cast<Expr>(S))
      return expression(E);
    for (const Stmt *Child : S->children())
      visit(Child);
  }

  void expression(const Expr *E) {
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      visit(C->getCond());
      under(C->getTrueExpr());
      under(C->getFalseExpr());
      return;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isAssignmentOp()) {
        visit(B->getRHS());
        if (B->isCompoundAssignmentOp())
          access(B->getLHS(), false);
        access(B->getLHS(), true);
        return address(B->getLHS());
      }
      if (B->isLogicalOp()) {
        visit(B->getLHS());
        return under(B->getRHS());
      }
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      if (U->isIncrementDecrementOp()) {
        access(U->getSubExpr(), false);
        access(U->getSubExpr(), true);
        return address(U->getSubExpr());
      }
      if (U->getOpcode() == UO_AddrOf)
        return address(U->getSubExpr());
    }
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() == CK_LValueToRValue)
        access(C->getSubExpr(), false);
      if (C->getCastKind() == CK_LValueToRValue ||
          C->getCastKind() == CK_ArrayToPointerDecay)
        return address(C->getSubExpr());
    }
    if (const auto *C = dyn_cast<CallExpr>(E))
      call(C);
    for (const Stmt *Child : E->children())
      visit(Child);
  }
};

UsedData CodeUses::of(const Stmt *S) {
  UsedData Out;
  UseWalk(*this, Out).run(uncaptured(S), /*Function=*/false);
  return Out;
}

const UsedData *CodeUses::ofFunction(const FunctionDecl *F) {
  const size_t Deepest = 12;
  if (Open.count(F) || Open.size() > Deepest)
    return nullptr;
  if (auto It = Done.find(F); It != Done.end())
    return &It->second;
  Open.insert(F);
  UsedData Out;
  UseWalk(*this, Out).run(F->getBody(), /*Function=*/true);
  Open.erase(F);
  return &(Done[F] = std::move(Out));
}

} // namespace evenkeel
