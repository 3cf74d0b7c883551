//===- KeptPlaces.cpp - places in sources that are kept -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Unit.h. Which variable a place gives its name to, and what stays as it is
// in sources that the project keeps (kept/README.md).
//===----------------------------------------------------------------------===//
#include "Unit.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {
using namespace clang;

/// The name of what \p E denotes: `a`, `s.a`, `a[i]`, `*a`, `&a`.
static std::string nameOf(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return nameOf(U->getSubExpr());
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return nameOf(S->getBase());
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return D->getNameInfo().getAsString();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberNameInfo().getAsString();
  return "";
}

/// The variable that the innermost statement around the walk's position gives a
/// value, or whose member function it calls; empty: none.
std::string Unit::variableAround() const {
  const Stmt *Inner = nullptr;
  for (size_t I = Stack.size(); I-- > 0; Inner = Stack[I]) {
    const Stmt *S = Stack[I];
    if (const auto *B = dyn_cast<BinaryOperator>(S);
        B && B->isAssignmentOp() && Inner == B->getRHS())
      return nameOf(B->getLHS());
    if (const auto *DS = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : DS->decls())
        if (const auto *VD = dyn_cast<VarDecl>(D);
            VD && (VD->getInit() == Inner || !Inner))
          return VD->getNameAsString();
      return "";
    }
    if (!Inner) {
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(S))
        return nameOf(M->getImplicitObjectArgument());
      // posix_memalign(&p, ...) and the like
      if (const auto *CE = dyn_cast<CallExpr>(S))
        for (const Expr *A : CE->arguments())
          if (const auto *Address =
                  dyn_cast<UnaryOperator>(A->IgnoreParenCasts());
              Address && Address->getOpcode() == UO_AddrOf)
            return nameOf(Address);
    }
    if (!isa<Expr>(S))
      return "";
  }
  return "";
}

/// Sources that are kept have no text for what only a compiler should read, and
/// free takes blocks of both allocators.
void Unit::useNames() {
  for (Pending &P : Found)
    if (P.F.What == Finding::State::Rewritten &&
        P.F.Class == Finding::Group::Free &&
        (P.F.Form == "free" || P.F.Form == "__builtin_free" ||
         P.F.Form == "_mm_free")) {
      P.F.What = Finding::State::Left;
      P.F.Reason = "takes-both";
      P.EditMacro = nullptr;
    }
}

/// Calls of a library say where a heap block lies, and nothing else.
void Unit::keepLibraryCalls() {
  for (Pending &P : Found) {
    if (P.F.What != Finding::State::Rewritten)
      continue;
    const bool OfHeap =
        P.F.FromHeap || P.F.Form == "new" || P.F.Form == "new[]";
    if (P.F.Class == Finding::Group::Site && !OfHeap)
      skip(P, "no-library-call");
    else if (P.F.Class != Finding::Group::Site &&
             P.F.Class != Finding::Group::Free)
      P.F.What = Finding::State::Left;
    P.EditMacro = nullptr;
  }
}

} // namespace evenkeel
