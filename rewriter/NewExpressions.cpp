//===- NewExpressions.cpp - new and new[] ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "NewExpressions.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

static const CXXConstructExpr *siteTag(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  const CXXRecordDecl *RD = E->getType()->getAsCXXRecordDecl();
  if (!RD || RD->getQualifiedNameAsString() != "ek::site")
    return nullptr;
  const auto *CCE = dyn_cast<CXXConstructExpr>(E);
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    CCE = dyn_cast<CXXConstructExpr>(Cast->getSubExpr()->IgnoreImplicit());
  return CCE && CCE->getNumArgs() > 0 ? CCE : nullptr;
}

/// Placement forms are no constant expressions. Lambdas are constexpr
/// whenever they can be, which says nothing.
bool NewExpressions::inConstexprFunction() const {
  const FunctionDecl *FD = U.Frames.back().Function;
  return FD && FD->isConstexpr() && !isLambdaCallOperator(FD);
}

void NewExpressions::function(const FunctionDecl *FD) {
  if (FD->isThisDeclarationADefinition() &&
      FD->isReplaceableGlobalAllocationFunction())
    U.Result.DefinesNew = true;
}

void NewExpressions::expression(const CXXNewExpr *NE) {
  const FunctionDecl *Op = NE->getOperatorNew();
  if (Op && Op->isReservedGlobalPlacementOperator())
    return; // constructs in place, allocates nothing
  Pending P;
  AnyDependent |= !Op;
  P.MakeEdits = [this](Pending &P) { makeEdits(P); };
  P.F.Key.Kind = "site";
  P.F.Form = NE->isArray() ? "new[]" : "new";
  P.F.Class = Finding::Group::Site;
  if (!U.locate(P, NE->getBeginLoc()))
    return;
  if (NE->getNumPlacementArgs() > 0) {
    if (const CXXConstructExpr *Tag = siteTag(NE->getPlacementArg(0))) {
      P.F.What = Finding::State::Already;
      P.LiteralId = literal(Tag->getArg(0));
    } else {
      skip(P, "new-form");
    }
  } else if (Op && isa<CXXMethodDecl>(Op)) {
    skipUnlisted(P, "class-operator-new");
  } else if (Op && NE->passAlignment()) {
    skip(P, "new-form");
  } else if (Op && isUserDefined(U, Op)) {
    skipUnlisted(P, "user-allocator");
  } else if (!NE->isArray()) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "single-object";
  } else if (inConstexprFunction()) {
    skip(P, "constexpr");
  } else {
    U.checkPlace(P, NE->getBeginLoc());
  }
  U.add(std::move(P));
}

void NewExpressions::makeEdits(Pending &P) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  P.F.Anchor = Offset;
  if (ClassNew.count({FID, Offset}))
    return skip(P, "class-operator-new");
  if (!U.claimFile(P, FID))
    return;
  TokenTable &T = U.table(FID);
  size_t I = T.at(Offset);
  if (I != TokenTable::None && T[I].Kind == tok::coloncolon)
    ++I;
  if (I == TokenTable::None || I >= T.size() || T.text(I) != "new")
    return skip(P, "macro-body");
  if (T[I].InDirective)
    return skip(P, "in-directive");
  P.F.Edits.push_back(
      {T[I].end(), 0, 0, " (::ek::site(" + U.idArguments(P) + "))"});
  U.noteEdit(FID, T[I].Offset);
}

/// In a template the operator new of a dependent type is unknown; its
/// instantiations know.
void NewExpressions::findInstances() {
  if (!AnyDependent)
    return;
  struct Instances : RecursiveASTVisitor<Instances> {
    NewExpressions &N;
    explicit Instances(NewExpressions &N) : N(N) {}
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool VisitCXXNewExpr(CXXNewExpr *NE) {
      if (isa_and_nonnull<CXXMethodDecl>(NE->getOperatorNew()) ||
          (NE->getOperatorNew() && NE->passAlignment())) {
        SourceLocation L = N.U.spelledInFile(NE->getBeginLoc());
        if (L.isValid())
          N.ClassNew.insert(N.U.SM.getDecomposedLoc(L));
      }
      return true;
    }
  } Visitor(*this);
  for (Decl *D : U.Context.getTranslationUnitDecl()->decls())
    if (!U.isInSystemHeader(D->getLocation()))
      Visitor.TraverseDecl(D);
}

} // namespace evenkeel
