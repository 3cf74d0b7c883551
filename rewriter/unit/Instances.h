//===- Instances.h - a walk over template instances -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to visit the code of template instances, including those of
// generic lambdas, which Clang's own walk omits.
// Not here: what is searched for.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_INSTANCES_H
#define EVENKEEL_REWRITER_INSTANCES_H

#include "Unit.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {

template <class Derived>
class InstanceVisitor : public clang::RecursiveASTVisitor<Derived> {
  using Base = clang::RecursiveASTVisitor<Derived>;

public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseLambdaExpr(clang::LambdaExpr *L) {
    if (!Base::TraverseLambdaExpr(L))
      return false;
    if (clang::FunctionTemplateDecl *T =
            L->getCallOperator()->getDescribedFunctionTemplate())
      for (clang::FunctionDecl *FD : T->specializations())
        if (!this->getDerived().TraverseDecl(FD))
          return false;
    return true;
  }

  void walk(Unit &U) {
    for (clang::Decl *D : U.Context.getTranslationUnitDecl()->decls())
      if (!U.isInSystemHeader(D->getLocation()))
        this->getDerived().TraverseDecl(D);
  }
};

} // namespace evenkeel

#endif
