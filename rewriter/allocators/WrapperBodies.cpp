//===- WrapperBodies.cpp - blocks that callers get ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperBodies.h. The scan of a body is flow-insensitive: a local variable
// may hold any value that is assigned to it anywhere. Allocations that depend
// on a comparison of two values (a buffer that grows when it is full) do not
// make the function a wrapper, because it is called far more often than it
// allocates. A wrong classification costs one id on the context stack; it never
// changes a result.
//===----------------------------------------------------------------------===//
#include "WrapperBodies.h"
#include "AllocationRules.h"
#include "LibraryCalls.h"
#include "OperatorNew.h"
#include "format/FilledContainers.h"
#include "format/ek_sizes.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/OpenMPKinds.h"

namespace evenkeel {
using namespace clang;

static bool mayTakeBlock(QualType Parameter) {
  QualType To = Parameter.getCanonicalType()->getPointeeType();
  return !To.isNull() && !To.isConstQualified() &&
         (To->isPointerType() || To->isRecordType() || To->isDependentType());
}

bool mayGiveBlock(const FunctionDecl *FD) {
  QualType T = FD->getReturnType().getCanonicalType();
  if (T->isPointerType())
    return !T->getPointeeType()->isFunctionType();
  if (T->isRecordType())
    return true;
  if (T->isFloatingType() || T->isAnyComplexType())
    return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD))
    if (M->isInstance() && !M->isConst())
      return true;
  for (const ParmVarDecl *P : FD->parameters())
    if (mayTakeBlock(P->getType()))
      return true;
  return false;
}

/// The function that \p CE calls, if there is only one.
static const FunctionDecl *onlyCallee(const CallExpr *CE) {
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

//===--- Memory -----------------------------------------------------------===//

/// Whether \p E refers to memory other than local variables and static storage.
static bool isElsewhere(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *DRE = dyn_cast<DeclRefExpr>(E))
    return DRE->getDecl()->getType()->isReferenceType();
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->isArrow())
        return true;
      E = M->getBase();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      if (!A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        return true;
      E = A->getBase();
    } else {
      break;
    }
  }
  if (const auto *DRE = dyn_cast<DeclRefExpr>(E)) {
    const auto *VD = dyn_cast<VarDecl>(DRE->getDecl());
    return VD && !VD->hasGlobalStorage();
  }
  const auto *UO = dyn_cast<UnaryOperator>(E);
  return (UO && UO->getOpcode() == UO_Deref) ||
         isa<CXXDependentScopeMemberExpr, CXXThisExpr, CallExpr>(E);
}

//===--- Conditions -------------------------------------------------------===//

static bool isConstant(const ASTContext &C, const Expr *E) {
  Expr::EvalResult Value;
  return E->isValueDependent() || E->EvaluateAsInt(Value, C) ||
         E->isNullPointerConstant(const_cast<ASTContext &>(C),
                                  Expr::NPC_ValueDependentIsNull);
}

/// Whether \p E is a comparison of two values, or a condition that contains
/// one.
static bool testsTwoValues(const ASTContext &C, const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *UO = dyn_cast<UnaryOperator>(E))
    return UO->getOpcode() == UO_LNot && testsTwoValues(C, UO->getSubExpr());
  const auto *BO = dyn_cast<BinaryOperator>(E);
  if (!BO)
    return false;
  if (BO->isLogicalOp())
    return testsTwoValues(C, BO->getLHS()) || testsTwoValues(C, BO->getRHS());
  QualType T = BO->getLHS()->getType().getCanonicalType();
  return BO->isComparisonOp() && !T->isFloatingType() &&
         !isConstant(C, BO->getLHS()) && !isConstant(C, BO->getRHS());
}

//===--- Containers -------------------------------------------------------===//

/// Whether \p FD is make_unique<T[]>(n) or a similar function.
static bool makesArray(const FunctionDecl *FD) {
  if (!FD->isInStdNamespace() || !FD->getIdentifier() ||
      !isOwnerMaker(std::string_view(FD->getName())) ||
      FD->getNumParams() == 0 ||
      !FD->getParamDecl(0)->getType()->isIntegerType())
    return false;
  const TemplateArgumentList *Args = FD->getTemplateSpecializationArgs();
  return Args && Args->size() > 0 &&
         Args->get(0).getKind() == TemplateArgument::Type &&
         Args->get(0).getAsType()->isIncompleteArrayType();
}

/// Whether \p FD is a constructor or member of a standard container that takes
/// the number of elements as its first argument.
static bool fillsContainer(const FunctionDecl *FD) {
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  if (!M)
    return makesArray(FD);
  if (!M->getParent()->isInStdNamespace() || !M->getParent()->getIdentifier() ||
      FD->getNumParams() == 0 ||
      !FD->getParamDecl(0)->getType()->isIntegerType())
    return false;
  return isFilledContainer(std::string_view(M->getParent()->getName())) &&
         (isa<CXXConstructorDecl>(FD) ||
          (M->getIdentifier() &&
           isFillingMember(std::string_view(M->getName()))));
}

bool makesSmallObject(const Unit &U, const CXXNewExpr *NE) {
  QualType T = NE->getAllocatedType();
  return !NE->isArray() && NE->getNumPlacementArgs() == 0 &&
         !T->isDependentType() && !T->isIncompleteType() &&
         U.Context.getTypeSizeInChars(T) <
             CharUnits::fromQuantity(EK_LARGE_BYTES);
}

bool fillsOwnContainer(const Unit &U, const FunctionDecl *FD) {
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  const auto *Container =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  if (!Container || !fillsContainer(FD) ||
      Container->getTemplateArgs().size() < 2 ||
      Container->getTemplateArgs()[1].getKind() != TemplateArgument::Type)
    return false;
  const CXXRecordDecl *Allocator =
      Container->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl();
  return Allocator && !Allocator->isInStdNamespace() &&
         !U.isInSystemHeader(Allocator->getLocation());
}

namespace {

struct Leaves : RecursiveASTVisitor<Leaves> {
  bool Found = false;
  bool VisitReturnStmt(ReturnStmt *) { return !(Found = true); }
  bool VisitContinueStmt(ContinueStmt *) { return !(Found = true); }
  bool VisitGotoStmt(GotoStmt *) { return !(Found = true); }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  static bool in(Stmt *S) {
    Leaves L;
    if (S)
      L.TraverseStmt(S);
    return L.Found;
  }
};

/// What a body returns, stores and calls, and the values that its variables are
/// assigned.
struct Values : RecursiveASTVisitor<Values> {
  const ASTContext &Context;
  unsigned Guards = 0; // comparisons of two values that guard the visited code
  std::vector<const Expr *> Returned, Stored;
  std::vector<const FunctionDecl *> Called;
  bool FillsContainers = false;
  std::vector<const CallExpr *> StoringCalls;
  llvm::DenseMap<const ValueDecl *, std::vector<const Expr *>> Given;

  explicit Values(const ASTContext &Context) : Context(Context) {}

  bool TraverseIfStmt(IfStmt *S) {
    TraverseStmt(S->getInit());
    if (S->getConditionVariableDeclStmt())
      TraverseStmt(S->getConditionVariableDeclStmt());
    TraverseStmt(S->getCond());
    const bool Guard = S->getCond() && testsTwoValues(Context, S->getCond());
    Guards += Guard;
    TraverseStmt(S->getThen());
    TraverseStmt(S->getElse());
    // The code after this statement runs only in the other case.
    if (Guard && !Leaves::in(S->getThen()) && !Leaves::in(S->getElse()))
      --Guards;
    return true;
  }
  bool TraverseConditionalOperator(ConditionalOperator *S) {
    TraverseStmt(S->getCond());
    const bool Guard = testsTwoValues(Context, S->getCond());
    Guards += Guard;
    TraverseStmt(S->getTrueExpr());
    TraverseStmt(S->getFalseExpr());
    Guards -= Guard;
    return true;
  }
  bool TraverseStmt(Stmt *S) {
    // The bodies of threads and tasks are functions of their own.
    if (const auto *D = dyn_cast_or_null<OMPExecutableDirective>(S)) {
      OpenMPDirectiveKind K = D->getDirectiveKind();
      if (isOpenMPParallelDirective(K) || isOpenMPTaskingDirective(K) ||
          isOpenMPTeamsDirective(K) || isOpenMPTargetExecutionDirective(K))
        return true;
    }
    return RecursiveASTVisitor::TraverseStmt(S);
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init->getInit());
    if (Init->isMemberInitializer() && (Default || Init->isWritten()))
      store(Default ? Default->getExpr() : Init->getInit());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }

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
  bool TraverseVarDecl(VarDecl *VD) {
    return VD->isStaticLocal() ? VisitVarDecl(VD)
                               : RecursiveASTVisitor::TraverseVarDecl(VD);
  }
  bool VisitBinaryOperator(BinaryOperator *BO) {
    if (BO->getOpcode() != BO_Assign)
      return true;
    if (isElsewhere(BO->getLHS()))
      store(BO->getRHS());
    else if (auto *DRE = dyn_cast<DeclRefExpr>(BO->getLHS()->IgnoreParens()))
      Given[DRE->getDecl()].push_back(BO->getRHS());
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) {
    QualType T = E->getType();
    if (T->isRecordType() || T->isArrayType())
      for (const Expr *Element : E->inits())
        if (Element && !isa<InitListExpr>(Element))
          store(Element);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *CE) {
    call(CE->getConstructor());
    return true;
  }
  bool VisitCallExpr(CallExpr *CE) {
    const FunctionDecl *FD = onlyCallee(CE);
    if (!FD)
      return true;
    if (!isAllocationCall(FD)) {
      if (FD->getOverloadedOperator() == OO_Call ||
          !isa<CXXOperatorCallExpr>(CE))
        call(FD);
      return true;
    }
    // posix_memalign(&p, ...) assigns to p.
    if (allocatesThrough(FD) == NoParameter ||
        allocatesThrough(FD) >= CE->getNumArgs())
      return true;
    const Expr *Arg = CE->getArg(allocatesThrough(FD))->IgnoreParenCasts();
    auto *Address = dyn_cast<UnaryOperator>(Arg);
    if (!Address || Address->getOpcode() != UO_AddrOf ||
        isElsewhere(Address->getSubExpr())) {
      if (!Guards)
        StoringCalls.push_back(CE);
    } else if (auto *DRE = dyn_cast<DeclRefExpr>(
                   Address->getSubExpr()->IgnoreParenCasts())) {
      Given[DRE->getDecl()].push_back(CE);
    }
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseBlockExpr(BlockExpr *) { return true; }
  bool TraverseCXXRecordDecl(CXXRecordDecl *) { return true; }

private:
  void store(const Expr *E) {
    if (!Guards)
      Stored.push_back(E);
  }
  void call(const FunctionDecl *FD) {
    if (Guards)
      return;
    Called.push_back(FD);
    FillsContainers |= fillsContainer(FD);
  }
};

class Body {
  const Unit &U;
  PointerTargets &Targets;
  Values V;
  std::set<const ValueDecl *> Open;
  bool Is = false;
  Wrapper::Functions IfAre;

  void allocates(const CallExpr *CE) {
    for (const FunctionDecl *Target : Targets.of(CE))
      IfAre.insert(Target);
    const FunctionDecl *FD = onlyCallee(CE);
    if (!FD)
      return;
    if (isGlobalNew(FD) || isAllocatorCall(FD)) {
      const unsigned Size =
          FD->isStatic() ? 1 : 0; // after the allocator argument
      Is |= Size < CE->getNumArgs() && !isConstant(U.Context, CE->getArg(Size));
      return;
    }
    if (!isAllocationCall(FD)) {
      IfAre.insert(FD);
      return;
    }
    uint64_t Size = 0;
    Is |= !hasConstantSize(U, CE, FD, Size) || Size >= EK_LARGE_BYTES;
  }

  static bool isPassedThrough(const FunctionDecl *FD) {
    if (!FD->getIdentifier())
      return false;
    return isLibraryLevel(FD) ? FD->getName() == "ek_leave"
                              : FD->getQualifiedNameAsString() == "ek::leave";
  }

  /// The arguments that \p FD may return, as a check does that only passes a
  /// block on (`return need(malloc(n))`).
  std::set<unsigned> returnedArguments(const FunctionDecl *FD) const;

  /// Whether \p E may be, or point into, a block that was allocated here.
  void values(const Expr *E);

  void look(const Expr *E, bool &IsOut, Wrapper::Functions &Of) {
    Is = false;
    Open.clear();
    values(E);
    IsOut |= Is;
    Of.insert(IfAre.begin(), IfAre.end());
    IfAre.clear();
  }

public:
  Body(const Unit &U, const FunctionDecl *FD, PointerTargets &Targets)
      : U(U), Targets(Targets), V(U.Context) {
    if (const auto *Made = dyn_cast<CXXConstructorDecl>(FD))
      for (CXXCtorInitializer *Init : Made->inits())
        V.TraverseConstructorInitializer(Init);
    V.TraverseStmt(FD->getBody());
  }

  Wrapper get() {
    Wrapper W;
    for (const Expr *E : V.Returned)
      if (E->getType()->isPointerType() || E->isTypeDependent())
        look(E, W.Returns, W.ReturnsOf);
    for (const Expr *E : V.Stored)
      look(E, W.Makes, W.StoresOf);
    for (const CallExpr *CE : V.StoringCalls) {
      Is = false;
      allocates(CE);
      W.Makes |= Is;
    }
    W.Calls.insert(V.Called.begin(), V.Called.end());
    W.Makes |= V.FillsContainers;
    return W;
  }
};

} // namespace

namespace {
/// The parameters among the values that a body may return.
class ReturnedParameters {
  const Values &V;
  std::set<const ValueDecl *> Open;

  void look(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      return look(Full->getSubExpr());
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
      look(C->getTrueExpr());
      return look(C->getFalseExpr());
    }
    if (const auto *BO = dyn_cast<BinaryOperator>(E)) {
      if (BO->getOpcode() == BO_Comma || BO->getOpcode() == BO_Assign)
        look(BO->getRHS());
      return;
    }
    const auto *DRE = dyn_cast<DeclRefExpr>(E);
    if (!DRE || !Open.insert(DRE->getDecl()).second ||
        DRE->getDecl()->getType()->isReferenceType())
      return;
    if (const auto *P = dyn_cast<ParmVarDecl>(DRE->getDecl()))
      Out.insert(P->getFunctionScopeIndex());
    if (auto It = V.Given.find(DRE->getDecl()); It != V.Given.end())
      for (const Expr *Value : It->second)
        look(Value);
  }

public:
  std::set<unsigned> Out;
  explicit ReturnedParameters(const Values &V) : V(V) {
    for (const Expr *E : V.Returned)
      look(E);
  }
};
} // namespace

std::set<unsigned> Body::returnedArguments(const FunctionDecl *FD) const {
  switch (FD->getBuiltinID()) {
  case 0:
    break;
  case Builtin::BImemcpy:
  case Builtin::BImemmove:
  case Builtin::BImemset:
  case Builtin::BI__builtin_memcpy:
  case Builtin::BI__builtin_memmove:
  case Builtin::BI__builtin_memset:
  case Builtin::BI__builtin_assume_aligned:
    return {0};
  default:
    return {};
  }
  const FunctionDecl *Definition = FD->getDefinition();
  if (!Definition || !Definition->getBody())
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern())
      Definition = Pattern->getDefinition();
  if (!Definition || !Definition->getBody() ||
      !(FD->getReturnType()->isPointerType() ||
        FD->getReturnType()->isDependentType()) ||
      U.isInSystemHeader(FD->getLocation()))
    return {};
  Values Its(U.Context);
  Its.TraverseStmt(Definition->getBody());
  return ReturnedParameters(Its).Out;
}

void Body::values(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return values(Full->getSubExpr());
  if (const auto *List = dyn_cast<ParenListExpr>(E)) {
    if (List->getNumExprs() == 1)
      values(List->getExpr(0));
    return;
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (List->getNumInits() == 1 && !List->getType()->isRecordType())
      values(List->getInit(0));
    return;
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    values(C->getTrueExpr());
    return values(C->getFalseExpr());
  }
  if (const auto *BO = dyn_cast<BinaryOperator>(E)) {
    if (BO->getOpcode() == BO_Comma || BO->getOpcode() == BO_Assign)
      values(BO->getRHS());
    else if (BO->isAdditiveOp())
      values(BO->getLHS());
    return;
  }
  if (const auto *NE = dyn_cast<CXXNewExpr>(E)) {
    const FunctionDecl *Op = NE->getOperatorNew();
    if (isa_and_nonnull<CXXMethodDecl>(Op)) {
      if (!makesSmallObject(U, NE))
        IfAre.insert(Op);
      return;
    }
    Is |= NE->isArray() && !(Op && Op->isReservedGlobalPlacementOperator());
    return;
  }
  if (const auto *DRE = dyn_cast<DeclRefExpr>(E)) {
    const auto *VD = dyn_cast<VarDecl>(DRE->getDecl());
    auto It = V.Given.find(DRE->getDecl());
    if (VD && VD->isLocalVarDeclOrParm() && It != V.Given.end() &&
        Open.insert(VD).second)
      for (const Expr *Value : It->second)
        values(Value);
    return;
  }
  const auto *CE = dyn_cast<CallExpr>(E);
  if (!CE)
    return;
  // Our own annotations return their argument.
  if (const FunctionDecl *FD = onlyCallee(CE);
      FD && CE->getNumArgs() == 2 && isPassedThrough(FD))
    return values(CE->getArg(1));
  allocates(CE);
  if (const FunctionDecl *FD = onlyCallee(CE); FD && !isAllocationCall(FD))
    for (const unsigned K : returnedArguments(FD))
      if (K < CE->getNumArgs())
        values(CE->getArg(K));
}

Wrapper scanBody(const Unit &U, const FunctionDecl *FD,
                 PointerTargets &Targets) {
  return Body(U, FD, Targets).get();
}

} // namespace evenkeel
