//===- PassedThrough.cpp - functions that return their argument -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PassedThrough.h.
//===----------------------------------------------------------------------===//
#include "PassedThrough.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

namespace {

/// Counts the uses of each parameter, and those that do no more than return or
/// compare it.
class Uses : public RecursiveASTVisitor<Uses> {
  static const ParmVarDecl *parameter(const Expr *E) {
    const auto *DRE =
        E ? dyn_cast<DeclRefExpr>(E->IgnoreParenCasts()) : nullptr;
    return DRE ? dyn_cast<ParmVarDecl>(DRE->getDecl()) : nullptr;
  }
  void compare(const Expr *E) {
    if (const ParmVarDecl *P = parameter(E))
      ++Harmless[P];
  }

public:
  std::map<const ParmVarDecl *, unsigned> All, Harmless, Returned;
  unsigned Returns = 0;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *P = dyn_cast<ParmVarDecl>(E->getDecl()))
      ++All[P];
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    ++Returns;
    if (const ParmVarDecl *P = parameter(S->getRetValue())) {
      ++Returned[P];
      ++Harmless[P];
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() == UO_LNot)
      compare(E->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isComparisonOp() || E->isLogicalOp()) {
      compare(E->getLHS());
      compare(E->getRHS());
    }
    return true;
  }
  bool VisitIfStmt(IfStmt *S) {
    compare(S->getCond());
    return true;
  }
};

} // namespace

std::optional<unsigned> passedThrough(const FunctionDecl *FD) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = FD->getBody(Definition);
  const auto *Method = dyn_cast<CXXMethodDecl>(FD);
  if (!Body || FD->isVariadic() || (Method && Method->isVirtual()) ||
      !FD->getReturnType()->isPointerType())
    return std::nullopt;
  Uses U;
  U.TraverseStmt(const_cast<Stmt *>(Body));
  for (const auto &[P, N] : U.Returned)
    if (N == U.Returns && U.All[P] == U.Harmless[P] &&
        P->getDeclContext() == Definition)
      return P->getFunctionScopeIndex();
  return std::nullopt;
}

} // namespace evenkeel
