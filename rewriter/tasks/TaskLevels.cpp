//===- TaskLevels.cpp - how deep a task is in the graph of tasks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TaskLevels.h.
//===----------------------------------------------------------------------===//
#include "TaskLevels.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

/// The variable or member that holds the data of \p E: `in` for `x[0]` after
/// `double *x = in[l]`. Null: unknown.
static const ValueDecl *dataOf(const Stmt *S, unsigned Depth = 0) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (!E || Depth > 16)
    return nullptr;
  E = E->IgnoreParenImpCasts();
  // The class of array sections has another name before LLVM 19.
  if (StringRef(E->getStmtClassName()).contains("ArraySection"))
    return dataOf(*E->child_begin(), Depth + 1);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return dataOf(A->getBase(), Depth + 1);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return dataOf(C->getSubExpr(), Depth + 1);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberDecl();
  if (const auto *O = dyn_cast<UnaryOperator>(E))
    return dataOf(O->getSubExpr(), Depth + 1);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return dataOf(B->getLHS()->getType()->isPointerType() ? B->getLHS()
                                                          : B->getRHS(),
                  Depth + 1);
  const auto *Name = dyn_cast<DeclRefExpr>(E);
  const auto *V = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!V)
    return nullptr;
  const QualType T = V->getType();
  if (V->isLocalVarDecl() && V->hasInit() &&
      (T->isPointerType() || T->isReferenceType()))
    if (const ValueDecl *From = dataOf(V->getInit(), Depth + 1))
      return From;
  return V->getCanonicalDecl();
}

static std::map<const ValueDecl *, bool>
dependences(const OMPExecutableDirective *D) {
  std::map<const ValueDecl *, bool> Writes;
  for (const auto *C : D->getClausesOfKind<OMPDependClause>())
    for (const Stmt *Item : C->children())
      if (const ValueDecl *Data = dataOf(Item))
        Writes[Data] |= C->getDependencyKind() != OMPC_DEPEND_in;
  return Writes;
}

unsigned TaskLevels::add(const OMPExecutableDirective *D,
                         const OMPExecutableDirective *Around,
                         const FunctionDecl *In) {
  Task New{0, dependences(D)};
  if (New.Writes.empty())
    return 0;
  auto Outer = Levels.find(Around);
  New.Level = 1 + (Outer == Levels.end() ? 0 : Outer->second);
  std::vector<Task> &Earlier = Groups[{In, Around}];
  for (const Task &T : Earlier)
    for (const auto &[Data, Writes] : New.Writes) {
      auto It = T.Writes.find(Data);
      if (It != T.Writes.end() && (Writes || It->second))
        New.Level = std::max(New.Level, T.Level + 1);
    }
  Levels[D] = New.Level;
  Earlier.push_back(New);
  return New.Level;
}

} // namespace evenkeel
