//===- Containers.cpp - calls of libraries that allocate ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "Containers.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {
using namespace clang;

static SourceLocation memberOrExpr(const Expr *Callee) {
  if (auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    return M->getMemberLoc();
  if (auto *M = dyn_cast<UnresolvedMemberExpr>(Callee))
    return M->getMemberLoc();
  return Callee->getExprLoc();
}

void Containers::note(SourceLocation Loc) {
  Pending P;
  unsigned OutsideRoot = U.Result.OutsideRoot;
  bool Located = U.locate(P, Loc);
  U.Result.OutsideRoot = OutsideRoot;
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

void Containers::variable(const VarDecl *VD) {
  if (U.Options.Planned && VD->hasInit())
    note(VD->getLocation());
}

void Containers::expression(const Expr *E) {
  if (!U.Options.Planned)
    return;
  if (auto *CE = dyn_cast<CallExpr>(E)) // v.resize(n): at `resize`
    note(memberOrExpr(CE->getCallee()));
  if (isa<CallExpr>(E) || isa<CXXConstructExpr>(E) ||
      isa<CXXUnresolvedConstructExpr>(E))
    for (SourceLocation Loc : {E->getExprLoc(), E->getBeginLoc()})
      note(Loc);
}

void Containers::initializer(const CXXCtorInitializer *Init) {
  if (U.Options.Planned && Init->isWritten())
    note(Init->getSourceLocation());
}

void Containers::finish() {
  for (const Finding &F : U.Result.Findings)
    Planned.erase(F.Id);
  for (auto &Entry : Planned)
    U.Result.Findings.push_back(std::move(Entry.second));
}

} // namespace evenkeel
