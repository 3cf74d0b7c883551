//===- Collect.cpp - walks one unit and dispatches ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Collect.h. The walk visits code as it is written (a template once, no
// implicit code), keeps the stack of enclosing functions, statements and
// directives, and passes each node to every rule (rules/Rule.h); they share
// Unit.h. Each rule and its reasons to skip are described in rules/*.md.
//===----------------------------------------------------------------------===//
#include "Collect.h"
#include "allocators/AllocationRules.h"
#include "library/FlowWalk.h"
#include "rules/Rule.h"
#include "unit/MacroUses.h"
#include "unit/OpenMPKinds.h"
#include "unit/Unit.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

namespace {

class Collector : public RecursiveASTVisitor<Collector> {
  using Base = RecursiveASTVisitor<Collector>;

  Unit &U;
  WrapperFunctions Allocating{U};
  std::vector<std::unique_ptr<Rule>> Rules; // ordered by rank

  template <typename... NodeTs, typename... ArgTs>
  void notify(void (Rule::*Event)(NodeTs...), ArgTs... Node) {
    for (auto &R : Rules)
      ((*R).*Event)(Node...);
  }

public:
  explicit Collector(Unit &U) : U(U) {
    for (const RuleMaker *M : allRules())
      Rules.push_back(M->Make(U, Allocating));
  }

  bool shouldVisitTemplateInstantiations() const { return false; }
  bool shouldVisitImplicitCode() const { return false; }

  void run() {
    for (Decl *D : U.Context.getTranslationUnitDecl()->decls())
      if (!U.isInSystemHeader(D->getLocation()))
        TraverseDecl(D);
    notify(&Rule::decide);
    U.finish([this](std::vector<Pending> &Found) {
      writeMacrosOut(U, Found, namesAllocation);
    });
    notify(&Rule::finish);
  }

  bool TraverseDecl(Decl *D) {
    if (!D)
      return true;
    if (isa<CapturedDecl>(D))
      return Base::TraverseDecl(D);
    if (D->getDeclContext() && D->getDeclContext()->isFileContext() &&
        U.isInSystemHeader(D->getLocation()))
      return true;
    if (auto *FD = dyn_cast<FunctionDecl>(D)) {
      if (FD->isThisDeclarationADefinition())
        Allocating.note(FD);
      notify(&Rule::function, FD);
      U.Frames.push_back({FD, {}});
      bool Go = Base::TraverseDecl(D);
      U.Frames.pop_back();
      return Go;
    }
    if (auto *VD = dyn_cast<VarDecl>(D); VD && VD->isConstexpr()) {
      ++U.InConstant;
      bool Go = Base::TraverseDecl(D);
      --U.InConstant;
      return Go;
    }
    unsigned &Flag = isa<FieldDecl>(D) ? U.InMemberInit : U.InDefaultArgument;
    bool Set = isa<FieldDecl>(D) || isa<ParmVarDecl>(D);
    Flag += Set;
    bool Go = Base::TraverseDecl(D);
    Flag -= Set;
    return Go;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    // Unevaluated operands allocate nothing.
    if (auto *E = dyn_cast<UnaryExprOrTypeTraitExpr>(S))
      if (!(E->isArgumentType() ? E->getArgumentType()
                                : E->getArgumentExpr()->getType())
               ->isVariablyModifiedType())
        return true;
    if (isa<CXXNoexceptExpr>(S))
      return true;
    // _Generic evaluates only one of its alternatives.
    if (auto *E = dyn_cast<GenericSelectionExpr>(S))
      if (!E->isResultDependent())
        return TraverseStmt(E->getResultExpr());
    if (auto *E = dyn_cast<ChooseExpr>(S))
      if (!E->isConditionDependent())
        return TraverseStmt(E->getChosenSubExpr());
    auto *L = U.Stack.empty() ? nullptr : dyn_cast<LambdaExpr>(U.Stack.back());
    bool Body = L && S == L->getBody();
    if (Body)
      U.Frames.push_back({L->getCallOperator(), {}});
    auto *Directive = dyn_cast<OMPExecutableDirective>(S);
    if (!isa<CapturedStmt>(S))
      notify(&Rule::statement, S);
    if (Directive && neverForks(*Directive, U.Context))
      Directive = nullptr;
    U.Stack.push_back(S);
    if (Directive) {
      notify(&Rule::directive, Directive);
      U.Frames.back().Directives.push_back(Directive);
    }
    bool Go = Base::TraverseStmt(S);
    if (Directive)
      U.Frames.back().Directives.pop_back();
    U.Stack.pop_back();
    if (Body)
      U.Frames.pop_back();
    return Go;
  }

  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc) { return true; }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    notify(&Rule::initializer, Init);
    return Base::TraverseConstructorInitializer(Init);
  }

  bool VisitTemplateDecl(TemplateDecl *T) {
    Allocating.noteInstances(T);
    return true;
  }
  bool VisitVarDecl(VarDecl *VD) {
    notify(&Rule::variable, VD);
    return true;
  }
  bool VisitExpr(Expr *E) {
    notify(&Rule::expression, E);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *BO) {
    notify(&Rule::binary, BO);
    return true;
  }
  bool VisitCallExpr(CallExpr *CE) {
    notify(&Rule::call, CE);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *DRE) {
    notify<const DeclRefExpr *>(&Rule::reference, DRE);
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *ULE) {
    notify<const UnresolvedLookupExpr *>(&Rule::reference, ULE);
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *NE) {
    notify(&Rule::newExpression, NE);
    return true;
  }
};

} // namespace

void collectUnit(ASTContext &Context, const HeaderSearch &Headers,
                 const CollectOptions &Options, const QuotedText &Quoted,
                 UnitResult &Result) {
  Unit U(Context, Headers, Options, Quoted, Result);
  Collector(U).run();
  if (Options.Library != LibraryCalls::None) {
    Result.Flows.push_back(walkFlow(U));
    Result.WithoutOpenMP |= !Context.getLangOpts().OpenMP;
  }
}

} // namespace evenkeel
