//===- PointerTargets.cpp - possible targets of indirect calls ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PointerTargets.h. Candidates are functions defined in the unit whose
// address is taken, and virtual functions.
//===----------------------------------------------------------------------===//
#include "PointerTargets.h"
#include "format/CallShape.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

bool isVirtualCall(const CallExpr *CE) {
  const auto *MCE = dyn_cast<CXXMemberCallExpr>(CE);
  CXXMethodDecl *MD = MCE ? MCE->getMethodDecl() : nullptr;
  if (!MD || !MD->isVirtual())
    return false;
  const auto *ME = dyn_cast<MemberExpr>(MCE->getCallee()->IgnoreParens());
  return ME && !ME->hasQualifier() &&
         !MD->getDevirtualizedMethod(MCE->getImplicitObjectArgument(),
                                     /*IsAppleKext=*/false);
}

static bool add(CallShape &Shape, const ASTContext &C, QualType T) {
  T = T.getCanonicalType();
  if (T->isAnyPointerType() || T->isReferenceType() || T->isArrayType())
    Shape.addPointer();
  else if (T->isBooleanType())
    Shape.addInteger(1);
  else if (T->isIntegralOrEnumerationType())
    Shape.addInteger(static_cast<unsigned>(C.getTypeSize(T)));
  else if (T->isRealFloatingType())
    Shape.addFloat(static_cast<unsigned>(C.getTypeSize(T)));
  else
    return false;
  return true;
}

static std::string shapeOf(const ASTContext &C, QualType Function,
                           bool OfObject) {
  const auto *T = Function->getAs<FunctionProtoType>();
  if (!T || T->isVariadic() || !T->getReturnType()->isPointerType())
    return "";
  CallShape Shape;
  if (OfObject)
    Shape.addPointer();
  for (QualType P : T->param_types())
    if (P->isDependentType() || !add(Shape, C, P))
      return "";
  return Shape.str();
}

static bool isOfObject(const FunctionDecl *FD) {
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  return M && M->isInstance();
}

void PointerTargets::look() {
  struct Visitor : RecursiveASTVisitor<Visitor> {
    std::set<const Expr *> Called;
    std::set<const FunctionDecl *> Found;
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool VisitCallExpr(CallExpr *CE) {
      Called.insert(CE->getCallee()->IgnoreParenImpCasts());
      return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr *DRE) {
      if (!Called.count(DRE))
        if (const auto *FD = dyn_cast<FunctionDecl>(DRE->getDecl()))
          Found.insert(FD->getCanonicalDecl());
      return true;
    }
    bool VisitCXXMethodDecl(CXXMethodDecl *M) {
      if (M->isVirtual())
        Found.insert(M->getCanonicalDecl());
      return true;
    }
  } Visit;
  Looked = true;
  for (Decl *D : U.Context.getTranslationUnitDecl()->decls())
    if (!U.isInSystemHeader(D->getLocation()))
      Visit.TraverseDecl(D);
  for (const FunctionDecl *FD : Visit.Found)
    if (FD->isDefined() && !FD->isTemplated())
      if (std::string S = shapeOf(U.Context, FD->getType(), isOfObject(FD));
          !S.empty() && (!Counts || Counts(FD)))
        ByShape[S].push_back(FD);
}

const PointerTargets::Functions &PointerTargets::of(const CallExpr *CE) {
  static const Functions None;
  std::string Shape;
  if (const FunctionDecl *FD = CE->getDirectCallee()) {
    if (isVirtualCall(CE))
      Shape = shapeOf(U.Context, FD->getType(), true);
  } else if (!CE->isTypeDependent() &&
             CE->getCallee()->getType()->isPointerType()) {
    Shape =
        shapeOf(U.Context, CE->getCallee()->getType()->getPointeeType(), false);
  }
  if (Shape.empty())
    return None;
  if (!Looked)
    look();
  auto It = ByShape.find(Shape);
  return It == ByShape.end() ? None : It->second;
}

} // namespace evenkeel
