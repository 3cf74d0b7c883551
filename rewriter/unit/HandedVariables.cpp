//===- HandedVariables.cpp - values to hand over before a region ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HandedVariables.h.
//===----------------------------------------------------------------------===//
#include "HandedVariables.h"
#include "edits/Uncaptured.h"
#include "unit/OpenMPKinds.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

namespace {

/// More values would make the call before the region slow.
constexpr size_t MostVariables = 16;

/// A variable, or a member of one.
struct Chain {
  const VarDecl *Root = nullptr; // null: this
  std::string Text;
  bool Follows = false; // a pointer other than this
};

/// The variable or member that \p E names, or nothing.
std::optional<Chain> chainOf(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
    if (C->getCastKind() != CK_LValueToRValue && C->getCastKind() != CK_NoOp &&
        C->getCastKind() != CK_DerivedToBase &&
        C->getCastKind() != CK_UncheckedDerivedToBase)
      return std::nullopt;
    E = C->getSubExpr()->IgnoreParens();
  }
  if (isa<CXXThisExpr>(E))
    return Chain{nullptr, "this", false};
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    if (!V || !V->getIdentifier() || R->hasQualifier())
      return std::nullopt;
    return Chain{V, V->getName().str(), false};
  }
  const auto *M = dyn_cast<MemberExpr>(E);
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (!F || !F->getIdentifier() || F->isBitField() || M->hasQualifier() ||
      F->getType()->isReferenceType() || F->getType().isVolatileQualified())
    return std::nullopt;
  std::optional<Chain> Base = chainOf(M->getBase());
  if (!Base)
    return std::nullopt;
  Base->Follows |= M->isArrow() && Base->Text != "this";
  Base->Text += (M->isArrow() ? "->" : ".") + F->getName().str();
  return Base;
}

/// Whether the variable exists before the region, once per program, and may be
/// read there by its name alone.
bool isVisibleBefore(const VarDecl *V) {
  if (V->getTLSKind() != VarDecl::TLS_None ||
      V->hasAttr<OMPThreadPrivateDeclAttr>() || V->isConstexpr() ||
      V->getType().isVolatileQualified())
    return false;
  return V->isLocalVarDeclOrParm() ||
         V->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool isWholeNumber(QualType T, const ASTContext &Context) {
  return !T->isDependentType() && T->isIntegerType() &&
         !T.isVolatileQualified() && !T->isAtomicType() &&
         Context.getTypeSize(T) <= 64;
}

/// How a region's statement uses the variables around it.
class Uses {
  const ASTContext &Context;
  std::set<const Decl *> Inside;   // declared in the region, or private
  std::set<std::string> Changed;   // by text
  std::set<const Decl *> Assigned; // as a whole
  std::set<std::string> Always;    // what every thread reads
  std::vector<Chain> Read;         // by first use

  /// Records what the evaluation of \p S always reads.
  void evaluated(const Stmt *S) {
    if (!S)
      return;
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
        C && C->getCastKind() == CK_LValueToRValue)
      if (auto Its = chainOf(C->getSubExpr()))
        Always.insert(Its->Text);
    if (isa<ConditionalOperator>(S) || isa<CallExpr>(S))
      return;
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isLogicalOp())
      return evaluated(B->getLHS());
    for (const Stmt *Child : S->children())
      evaluated(Child);
  }

  /// Records what the bounds of a loop directive read: each thread evaluates
  /// them when the loop begins.
  void loopOf(const OMPExecutableDirective *D) {
    if (!isOpenMPWorksharingDirective(D->getDirectiveKind()) ||
        !D->hasAssociatedStmt())
      return;
    if (const auto *F =
            dyn_cast_or_null<ForStmt>(uncaptured(D->getRawStmt()))) {
      evaluated(F->getInit());
      evaluated(F->getCond());
    }
  }

  void privates(const OMPExecutableDirective *D) {
    for (const OMPClause *C : D->clauses()) {
      switch (C->getClauseKind()) {
      case llvm::omp::OMPC_private:
      case llvm::omp::OMPC_lastprivate:
      case llvm::omp::OMPC_reduction:
      case llvm::omp::OMPC_in_reduction:
      case llvm::omp::OMPC_task_reduction:
      case llvm::omp::OMPC_linear:
        for (const Stmt *E : C->children())
          if (const auto *R = dyn_cast_or_null<DeclRefExpr>(E))
            Inside.insert(R->getDecl());
        break;
      default:
        break;
      }
    }
  }

  /// Whether \p S is a variable or its address, to be read only: `&a` as a
  /// `const T *`, or `a` as a `const T &`.
  static bool isPassedAsConstant(const Stmt *S) {
    const auto *C = dyn_cast<ImplicitCastExpr>(S);
    if (!C || C->getCastKind() != CK_NoOp)
      return false;
    const Expr *E = C->getSubExpr()->IgnoreParens();
    if (C->isLValue())
      return C->getType().isConstQualified() && chainOf(E);
    const auto *A = dyn_cast<UnaryOperator>(E);
    return A && A->getOpcode() == UO_AddrOf && chainOf(A->getSubExpr()) &&
           C->getType()->isPointerType() &&
           C->getType()->getPointeeType().isConstQualified();
  }

  /// \p E is used for more than its value, so its variable may change.
  void mayChange(const Expr *E) {
    if (std::optional<Chain> C = chainOf(E)) {
      Changed.insert(C->Text);
      if (C->Root && C->Text == C->Root->getName())
        Assigned.insert(C->Root);
    }
  }

  void read(const Expr *E) {
    std::optional<Chain> C = chainOf(E);
    if (C && isWholeNumber(E->getType(), Context))
      Read.push_back(std::move(*C));
  }

  void walkChildren(const Stmt *S) {
    for (const Stmt *Child : S->children())
      walk(Child);
  }

public:
  explicit Uses(const ASTContext &Context) : Context(Context) {}

  void walk(const Stmt *S) {
    if (!S)
      return;
    S = uncaptured(S);
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
      privates(D);
      if (D->hasAssociatedStmt())
        walk(D->getRawStmt());
      return;
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *Its : D->decls())
        Inside.insert(Its);
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
        C && C->getCastKind() == CK_LValueToRValue &&
        chainOf(C->getSubExpr())) {
      read(C->getSubExpr());
      // The pointer that leads to a member is read, too.
      if (const auto *M = dyn_cast<MemberExpr>(C->getSubExpr()->IgnoreParens()))
        walkBase(M);
      return;
    }
    if (isPassedAsConstant(S))
      return;
    if (const auto *M = dyn_cast<MemberExpr>(S)) {
      mayChange(M);
      return walkBase(M);
    }
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      return mayChange(R);
    walkChildren(S);
  }

  /// Visits the object whose member is used. Its other members do not change.
  void walkBase(const MemberExpr *M) {
    const Expr *B = M->getBase()->IgnoreParens();
    if (const auto *Inner = dyn_cast<MemberExpr>(B))
      return walkBase(Inner);
    if (!isa<DeclRefExpr>(B) && !isa<CXXThisExpr>(B))
      walk(B);
  }

  /// Records what every thread reads that reaches \p S.
  void always(const Stmt *S) {
    S = uncaptured(S);
    if (const auto *C = dyn_cast_or_null<CompoundStmt>(S))
      for (const Stmt *Child : C->body())
        always(Child);
    else if (const auto *D = dyn_cast_or_null<OMPExecutableDirective>(S))
      loopOf(D);
    else if (const auto *F = dyn_cast_or_null<ForStmt>(S))
      evaluated(F->getInit()), evaluated(F->getCond());
    else if (const auto *W = dyn_cast_or_null<WhileStmt>(S))
      evaluated(W->getCond());
    else if (const auto *I = dyn_cast_or_null<IfStmt>(S))
      evaluated(I->getCond());
    else if (isa_and_nonnull<DeclStmt>(S) || isa_and_nonnull<Expr>(S))
      evaluated(S);
  }

  void begin(const OMPExecutableDirective *D) {
    loopOf(D);
    if (!isOpenMPLoopDirective(D->getDirectiveKind()))
      always(D->getRawStmt());
    privates(D);
    walk(D->getRawStmt());
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> Out;
    for (const Chain &C : Read) {
      const bool Known =
          !C.Root || (isVisibleBefore(C.Root) && !Inside.count(C.Root) &&
                      !Assigned.count(C.Root));
      if (Known && !Changed.count(C.Text) &&
          (!C.Follows || Always.count(C.Text)) &&
          std::find(Out.begin(), Out.end(), C.Text) == Out.end())
        Out.push_back(C.Text);
    }
    return Out;
  }
};

bool isInTeam(const Unit &U, const OMPExecutableDirective *D) {
  const auto &Open = U.Frames.back().Directives;
  return std::any_of(Open.begin(), Open.end(), [&](auto *O) {
    return O != D && isOpenMPParallelDirective(O->getDirectiveKind());
  });
}

} // namespace

std::optional<std::string> instanceOf(const Unit &U, const FunctionDecl *FD) {
  if (FD->isDependentContext() || FD->isTemplateInstantiation() ||
      isa<CXXConstructorDecl>(FD) || isa<CXXDestructorDecl>(FD))
    return std::nullopt;
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD))
    if (M->getParent()->isLambda())
      return std::nullopt;
  const std::string Name = ASTNameGenerator(U.Context).getName(FD);
  return Name.rfind("_Z", 0) == 0 ? " " + Name : std::string();
}

std::vector<HandedVariable> handedVariables(Unit &U,
                                            const OMPExecutableDirective *D) {
  const FunctionDecl *FD = U.Frames.back().Function;
  const OpenMPDirectiveKind Kind = D->getDirectiveKind();
  if (!FD || !isOpenMPParallelDirective(Kind) || isDeviceDirective(Kind) ||
      !D->hasAssociatedStmt() || isInTeam(U, D))
    return {};
  const std::optional<std::string> Instance = instanceOf(U, FD);
  Pending Place, Own;
  if (!Instance || !U.locate(Place, FD->getLocation(), /*Counts=*/false) ||
      !U.locate(Own, D->getBeginLoc(), /*Counts=*/false) || Own.Included)
    return {};
  Uses Its(U.Context);
  Its.begin(D);
  std::vector<HandedVariable> Out;
  for (std::string &Text : Its.texts()) {
    if (Out.size() == MostVariables)
      break;
    EntityKey K = Place.F.Key;
    K.Kind = "symbol:" + Text + *Instance;
    K.LineOffset = 0;
    K.Column = K.Ordinal = 0;
    const uint64_t Id = entityId(K);
    Out.push_back({std::move(Text), Id});
  }
  return Out;
}

std::string handingOver(const std::vector<HandedVariable> &Variables) {
  std::string Out = std::string("EK_REGION_VALUES(") + NamePlace;
  for (const HandedVariable &V : Variables)
    Out += ", " + V.Text;
  return Out + ");";
}

std::string handingOver(uint64_t Region,
                        const std::vector<HandedVariable> &Variables) {
  if (Variables.empty())
    return "";
  std::string Out = "EK_VALUES(" + idLiteral(Region);
  for (const HandedVariable &V : Variables)
    Out += ", EK_VALUE(" + idLiteral(V.Id) + ", " + V.Text + ")";
  return Out + ");";
}

} // namespace evenkeel
