//===- OperatorNew.cpp - allocating forms of operator new -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OperatorNew.h.
//===----------------------------------------------------------------------===//
#include "OperatorNew.h"

namespace evenkeel {
using namespace clang;

bool isSiteTag(QualType T) {
  const CXXRecordDecl *RD = T.getNonReferenceType()->getAsCXXRecordDecl();
  return RD && RD->getQualifiedNameAsString() == "ek::site";
}

const CXXConstructExpr *siteTag(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  if (!isSiteTag(E->getType()))
    return nullptr;
  const auto *CCE = dyn_cast<CXXConstructExpr>(E);
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    CCE = dyn_cast<CXXConstructExpr>(Cast->getSubExpr()->IgnoreImplicit());
  return CCE && CCE->getNumArgs() > 0 ? CCE : nullptr;
}

uint64_t siteId(const Expr *E) {
  const CXXConstructExpr *Tag = siteTag(E);
  return Tag ? literal(Tag->getArg(0)) : 0;
}

static bool isNew(const FunctionDecl *FD) {
  return FD->getOverloadedOperator() == OO_New ||
         FD->getOverloadedOperator() == OO_Array_New;
}

unsigned siteParameter(const FunctionDecl *FD) {
  for (unsigned I = 1; I < FD->getNumParams(); ++I)
    if (isSiteTag(FD->getParamDecl(I)->getType()))
      return I;
  return 0;
}

bool isGlobalNew(const FunctionDecl *FD) {
  return isNew(FD) && !isa<CXXMethodDecl>(FD) &&
         (FD->isReplaceableGlobalAllocationFunction() || siteParameter(FD));
}

} // namespace evenkeel
