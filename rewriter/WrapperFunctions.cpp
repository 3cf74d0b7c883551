//===- WrapperFunctions.cpp - functions that allocate for others ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header. The look at a body is flow-insensitive: a local
// variable has every value that is assigned to it anywhere. One that is wrong
// costs an id on a stack, never a result.
//===----------------------------------------------------------------------===//
#include "WrapperFunctions.h"
#include "AllocationCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

namespace {

/// Wrappers of wrappers of ..., at most.
const unsigned MaxDepth = 4;
/// Smaller blocks are no objects (design 10), and a context costs time.
const uint64_t SmallestObject = 64 * 1024;

/// What a body returns, and what its variables are given.
struct Values : RecursiveASTVisitor<Values> {
  std::vector<const Expr *> Returned;
  llvm::DenseMap<const ValueDecl *, std::vector<const Expr *>> Given;

  bool VisitReturnStmt(ReturnStmt *S) {
    if (S->getRetValue())
      Returned.push_back(S->getRetValue());
    return true;
  }
  bool VisitVarDecl(VarDecl *VD) {
    if (VD->hasInit() && VD->isLocalVarDecl())
      Given[VD].push_back(VD->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *BO) {
    if (BO->getOpcode() == BO_Assign)
      if (auto *DRE = dyn_cast<DeclRefExpr>(BO->getLHS()->IgnoreParens()))
        Given[DRE->getDecl()].push_back(BO->getRHS());
    return true;
  }
  /// posix_memalign(&p, ...): the call gives p its value.
  bool VisitCallExpr(CallExpr *CE) {
    const FunctionDecl *FD = CE->getDirectCallee();
    if (!FD || allocatesThrough(FD) == NoParameter ||
        allocatesThrough(FD) >= CE->getNumArgs())
      return true;
    const Expr *Arg = CE->getArg(allocatesThrough(FD))->IgnoreParenCasts();
    if (auto *Address = dyn_cast<UnaryOperator>(Arg))
      if (auto *DRE =
              dyn_cast<DeclRefExpr>(Address->getSubExpr()->IgnoreParenCasts()))
        Given[DRE->getDecl()].push_back(CE);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseBlockExpr(BlockExpr *) { return true; }
  bool TraverseCXXRecordDecl(CXXRecordDecl *) { return true; }
};

/// The function that \p CE calls, where there is but one.
const FunctionDecl *onlyCallee(const CallExpr *CE) {
  if (const FunctionDecl *FD = CE->getDirectCallee())
    return FD;
  const auto *O =
      dyn_cast<OverloadExpr>(CE->getCallee()->IgnoreParenImpCasts());
  if (!O || O->getNumDecls() != 1)
    return nullptr;
  NamedDecl *D = (*O->decls_begin())->getUnderlyingDecl();
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(D))
    return Template->getTemplatedDecl();
  return dyn_cast<FunctionDecl>(D);
}

class Body {
  Unit &U;
  WrapperFunctions &All;
  Values V;
  unsigned Depth;
  std::set<const ValueDecl *> Open;

  bool allocates(const CallExpr *CE) {
    const FunctionDecl *FD = onlyCallee(CE);
    if (!FD)
      return false;
    if (!isAllocationCall(FD))
      return Depth < MaxDepth && All.contains(FD, Depth + 1);
    uint64_t Size = 0;
    return !hasConstantSize(U, CE, FD, Size) || Size >= SmallestObject;
  }

public:
  Body(Unit &U, WrapperFunctions &All, const FunctionDecl *FD, unsigned Depth)
      : U(U), All(All), Depth(Depth) {
    V.TraverseStmt(FD->getBody());
  }

  bool returns() {
    for (const Expr *E : V.Returned)
      if (isAllocation(E))
        return true;
    return false;
  }

  /// Whether \p E may be (or point into) a block that it has allocated.
  bool isAllocation(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return isAllocation(Full->getSubExpr());
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
      return isAllocation(C->getTrueExpr()) || isAllocation(C->getFalseExpr());
    if (const auto *BO = dyn_cast<BinaryOperator>(E)) {
      if (BO->getOpcode() == BO_Comma || BO->getOpcode() == BO_Assign)
        return isAllocation(BO->getRHS());
      return BO->isAdditiveOp() && isAllocation(BO->getLHS());
    }
    if (const auto *NE = dyn_cast<CXXNewExpr>(E)) {
      const FunctionDecl *Op = NE->getOperatorNew();
      return NE->isArray() && !(Op && Op->isReservedGlobalPlacementOperator());
    }
    if (const auto *DRE = dyn_cast<DeclRefExpr>(E)) {
      const auto *VD = dyn_cast<VarDecl>(DRE->getDecl());
      auto It = V.Given.find(DRE->getDecl());
      if (!VD || !VD->isLocalVarDeclOrParm() || It == V.Given.end() ||
          !Open.insert(VD).second)
        return false;
      for (const Expr *Value : It->second)
        if (isAllocation(Value))
          return true;
      return false;
    }
    const auto *CE = dyn_cast<CallExpr>(E);
    if (!CE)
      return false;
    // What our own annotations pass through.
    if (const FunctionDecl *FD = onlyCallee(CE);
        FD && CE->getNumArgs() == 2 && isPassedThrough(FD))
      return isAllocation(CE->getArg(1));
    return allocates(CE);
  }

  static bool isPassedThrough(const FunctionDecl *FD) {
    if (!FD->getIdentifier())
      return false;
    return isLibraryLevel(FD) ? FD->getName() == "ek_leave"
                              : FD->getQualifiedNameAsString() == "ek::leave";
  }
};

} // namespace

bool WrapperFunctions::returnsAllocation(const FunctionDecl *Definition,
                                         unsigned Depth) {
  return Body(U, *this, Definition, Depth).returns();
}

bool WrapperFunctions::mayBeElsewhere(const FunctionDecl *FD) {
  return FD->getReturnType()->isPointerType() && FD->isExternallyVisible() &&
         !FD->isTemplated() && !FD->getBuiltinID();
}

/// By its declaration, by people, or by the unit with its definition.
bool WrapperFunctions::isSaid(const FunctionDecl *FD) const {
  for (const FunctionDecl *R : FD->redecls())
    if (R->hasAttr<RestrictAttr>() || R->hasAttr<AllocSizeAttr>())
      return true;
  if (!U.Options.NamedWrappers.empty() &&
      U.Options.NamedWrappers.count(FD->getQualifiedNameAsString()))
    return true;
  return isElsewhere(U, FD);
}

bool WrapperFunctions::isElsewhere(const Unit &U, const FunctionDecl *FD) {
  return U.Options.OtherWrappers && !U.Options.OtherWrappers->empty() &&
         mayBeElsewhere(FD) &&
         U.Options.OtherWrappers->count(
             ASTNameGenerator(U.Context).getName(FD));
}

bool WrapperFunctions::contains(const FunctionDecl *FD, unsigned Depth) {
  if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern())
    FD = Pattern;
  FD = FD->getCanonicalDecl();
  auto [It, New] = Known.try_emplace(FD, false); // false also while open
  if (!New)
    return It->second;
  QualType T = FD->getReturnType().getCanonicalType();
  if (!FD->getIdentifier() || FD->getLocation().isInvalid() ||
      U.isInSystemHeader(FD->getLocation()) || FD->getBuiltinID() ||
      !T->isPointerType() || T->getPointeeType()->isFunctionType() ||
      isAllocationCall(FD) ||
      (isLibraryLevel(FD) && FD->getName().starts_with("ek_")))
    return false;
  bool Is = isSaid(FD);
  const FunctionDecl *Definition = FD->getDefinition();
  if (!Is && Definition && Definition->getBody())
    Is = returnsAllocation(Definition, Depth);
  return Known[FD] = Is;
}

} // namespace evenkeel
