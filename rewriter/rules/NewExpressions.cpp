//===- NewExpressions.cpp - new and new[] ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NewExpressions.h.
//===----------------------------------------------------------------------===//
#include "NewExpressions.h"
#include "allocators/OperatorNew.h"
#include "format/ek_sizes.h"
#include "unit/Instances.h"

namespace evenkeel {
using namespace clang;

void NewExpressions::function(const FunctionDecl *FD) {
  if (FD->isThisDeclarationADefinition() &&
      FD->isReplaceableGlobalAllocationFunction())
    U.Result.DefinesNew = true;
}

namespace {
/// The kind of arguments before the type.
enum class Placement {
  None,
  Standard, ///< nothrow, alignment: the header has these forms with a site
  InPlace,  ///< constructs, allocates nothing
  Other
};
} // namespace

/// For a dependent new-expression, whose operator new is not known yet.
static Placement placementAsWritten(const CXXNewExpr *NE) {
  for (unsigned I = 0; I < NE->getNumPlacementArgs(); ++I) {
    const Expr *Arg = NE->getPlacementArg(I);
    if (Arg->isTypeDependent())
      return Placement::Other;
    QualType T = Arg->getType();
    if (T->isPointerType() && NE->getNumPlacementArgs() == 1)
      return Placement::InPlace;
    bool NoThrow = false;
    if (const CXXRecordDecl *RD = T->getAsCXXRecordDecl())
      NoThrow = RD->isInStdNamespace() && RD->getName() == "nothrow_t";
    if (!NoThrow && !T->isAlignValT())
      return Placement::Other;
  }
  return NE->getNumPlacementArgs() ? Placement::Standard : Placement::None;
}

static Placement placement(const CXXNewExpr *NE) {
  const FunctionDecl *Op = NE->getOperatorNew();
  if (!Op)
    return placementAsWritten(NE);
  if (Op->isReservedGlobalPlacementOperator())
    return Placement::InPlace;
  if (NE->getNumPlacementArgs() == 0)
    return Placement::None;
  return Op->isReplaceableGlobalAllocationFunction() ? Placement::Standard
                                                     : Placement::Other;
}

/// Whether an object of the type is large enough to be placed.
static bool isLarge(const ASTContext &C, QualType T) {
  return !T->isDependentType() && !T->isIncompleteType() &&
         C.getTypeSizeInChars(T) >= CharUnits::fromQuantity(EK_LARGE_BYTES);
}

/// Whether the generated header of a library's calls defines \p FD.
static bool isOfMemoryHeader(const Unit &U, const FunctionDecl *FD) {
  return U.Options.Library != LibraryCalls::None &&
         U.SM.getFilename(U.SM.getSpellingLoc(FD->getLocation()))
             .ends_with(memoryHeaderName(U.Options.Library));
}

void NewExpressions::newExpression(const CXXNewExpr *NE) {
  const FunctionDecl *Op = NE->getOperatorNew();
  Placement Form = placement(NE);
  if (Form == Placement::InPlace)
    return;
  Pending P;
  bool Dependent = !Op || NE->getAllocatedType()->isDependentType();
  AnyDependent |= Dependent;
  P.MakeEdits = [this, NE](Pending &P) { makeEdits(P, NE); };
  P.F.Key.Kind = "site";
  P.F.Form = NE->isArray() ? "new[]" : "new";
  P.F.Class = Finding::Group::Site;
  if (!U.locate(P, NE->getBeginLoc()))
    return;
  const CXXConstructExpr *Tag =
      NE->getNumPlacementArgs() ? siteTag(NE->getPlacementArg(0)) : nullptr;
  if (Tag) {
    P.F.What = Finding::State::Already;
    P.LiteralId = literal(Tag->getArg(0));
  } else if (Op && isa<CXXMethodDecl>(Op)) {
    skipUnlisted(P, "class-operator-new");
  } else if (Op && isOfMemoryHeader(U, Op)) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "tier-chosen";
  } else if (Form == Placement::Other) {
    skip(P, "new-form");
    P.F.Listed = !Op || !isUserDefined(U, Op);
    if (!Op)
      return Undecided.push_back(std::move(P));
  } else if (Op && isUserDefined(U, Op)) {
    skipUnlisted(P, "user-allocator");
  } else if (!NE->isArray() && !Dependent &&
             !isLarge(U.Context, NE->getAllocatedType())) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "single-object";
  } else if (U.inConstexprFunction()) { // placement is no constant
    skip(P, "constexpr");
  } else {
    U.checkPlace(P, NE->getBeginLoc());
  }
  U.add(std::move(P));
}

void NewExpressions::makeEdits(Pending &P, const CXXNewExpr *NE) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  P.F.Anchor = Offset;
  if (ClassNew.count({FID, Offset}))
    return skip(P, "class-operator-new");
  if (!NE->isArray() && NE->getAllocatedType()->isDependentType() &&
      !LargeNew.count({FID, Offset})) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "single-object";
    return;
  }
  if (!U.claimFile(P, FID))
    return;
  TokenTable &T = U.table(FID);
  size_t I = T.at(Offset);
  if (I != TokenTable::None && T[I].Kind == tok::coloncolon)
    ++I;
  if (I == TokenTable::None || I >= T.size() || T.text(I) != "new")
    return skipInMacroBody(P);
  if (T[I].InDirective)
    return skip(P, "in-directive");
  if (U.Options.Library != LibraryCalls::None)
    return makeLibraryEdits(P, NE, FID, I);
  if (U.Options.Kept)
    return makeKeptEdits(P, NE, FID, I);
  std::string Tag = "::ek::site(" + U.idArguments(P) + ")";
  if (NE->getNumPlacementArgs() == 0) {
    P.F.Edits.push_back({T[I].end(), 0, 0, " (" + Tag + ")"});
  } else if (I + 1 < T.size() && T[I + 1].Kind == tok::l_paren &&
             T.sameConfigurations(I, I + 1)) {
    P.F.Edits.push_back({T[I + 1].end(), 0, 0, Tag + ", "});
  } else {
    return skipInMacroBody(P);
  }
  U.noteEdit(FID, T[I].Offset);
}

/// `new` at token \p I becomes `EK_NEW(name)`; `new (x)` becomes
/// `EK_NEW_WITH(name, x)`.
void NewExpressions::makeKeptEdits(Pending &P, const CXXNewExpr *NE, FileID FID,
                                   size_t I) {
  TokenTable &T = U.table(FID);
  if (P.F.Pin >= 0)
    return skip(P, "kept-style");
  if (NE->getNumPlacementArgs() == 0) {
    P.F.Edits.push_back({T[I].Offset, T[I].Length, 0,
                         std::string("EK_NEW(") + NamePlace + ")"});
  } else if (I + 1 < T.size() && T[I + 1].Kind == tok::l_paren &&
             T[I].Arm == T[I + 1].Arm) {
    P.F.Edits.push_back({T[I].Offset, T[I + 1].end() - T[I].Offset, 0,
                         keptAround("EK_NEW_WITH")});
  } else {
    return skipInMacroBody(P);
  }
  U.noteEdit(FID, T[I].Offset);
}

/// `new` at token \p I becomes `new (high_bandwidth_memory())`. A block of
/// objects with destructors has their number in front, which only delete[]
/// finds.
void NewExpressions::makeLibraryEdits(Pending &P, const CXXNewExpr *NE,
                                      FileID FID, size_t I) {
  TokenTable &T = U.table(FID);
  const QualType Type = NE->getAllocatedType();
  if (!NE->isArray() || NE->getNumPlacementArgs() || Type->isDependentType() ||
      Type.isDestructedType() || NE->passAlignment())
    return skip(P, "no-library-call");
  P.F.Edits.push_back({T[I].end(), 0, 0, std::string(" (") + NamePlace + ")"});
  U.noteEdit(FID, T[I].Offset);
}

/// With a library's calls, `delete[] p` becomes `memory_delete_array(p)`.
void NewExpressions::expression(const Expr *E) {
  const auto *DE = dyn_cast<CXXDeleteExpr>(E);
  if (!DE || U.Options.Library == LibraryCalls::None)
    return;
  Pending P;
  P.F.Key.Kind = "site";
  P.F.Class = Finding::Group::Free;
  P.F.Form = DE->isArrayForm() ? "delete[]" : "delete";
  if (!U.locate(P, DE->getBeginLoc()))
    return;
  const QualType Type = DE->getDestroyedType();
  if (!DE->isArrayForm() || Type.isNull() || Type->isDependentType() ||
      Type.isDestructedType() || Type->isIncompleteType() ||
      isa_and_nonnull<CXXMethodDecl>(DE->getOperatorDelete()))
    skip(P, "no-library-call");
  else
    U.checkPlace(P, DE->getBeginLoc());
  P.MakeEdits = [this, DE](Pending &P) { makeDeleteEdits(P, DE); };
  U.add(std::move(P));
}

void NewExpressions::makeDeleteEdits(Pending &P, const CXXDeleteExpr *DE) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  P.F.Anchor = Offset;
  if (!U.putAround(P, DE->getArgument(), "memory_delete_array(", ")", 0))
    return;
  const unsigned Operand = P.F.Edits.front().Offset;
  const TokenTable &T = U.table(FID);
  std::string Words; // `delete[]` or `::delete[]`
  for (size_t I = T.at(Offset); I < T.size() && T[I].Offset < Operand; ++I)
    Words += T.text(I);
  if (!llvm::StringRef(Words).ends_with("delete[]") || Operand < Offset ||
      T.buffer().slice(Offset, Operand).contains('/'))
    return skip(P, "no-library-call");
  P.F.Edits.push_back({Offset, Operand - Offset, 0, ""});
}

/// In a template, the operator new and the size of a dependent type are
/// unknown; they are taken from its instances.
void NewExpressions::decide() {
  if (!AnyDependent)
    return;
  struct Instances : InstanceVisitor<Instances> {
    NewExpressions &N;
    std::set<SourceLocation> Own, Other; // allocating forms of placement
    explicit Instances(NewExpressions &N) : N(N) {}
    bool VisitCXXNewExpr(CXXNewExpr *NE) {
      bool Class = isa_and_nonnull<CXXMethodDecl>(NE->getOperatorNew());
      bool Large = NE->getOperatorNew() && !NE->isArray() &&
                   isLarge(N.U.Context, NE->getAllocatedType());
      const FunctionDecl *Op = NE->getOperatorNew();
      if (Op && NE->getNumPlacementArgs() &&
          placement(NE) != Placement::InPlace)
        (isUserDefined(N.U, Op) ? Own : Other).insert(NE->getBeginLoc());
      SourceLocation L;
      if (Class || Large)
        L = N.U.spelledInFile(NE->getBeginLoc());
      if (L.isValid())
        (Class ? N.ClassNew : N.LargeNew).insert(N.U.SM.getDecomposedLoc(L));
      return true;
    }
  } Visitor(*this);
  Visitor.walk(U);
  // Without an allocating instance, nothing is allocated here.
  for (Pending &P : Undecided) {
    P.F.Listed = Visitor.Other.count(P.Order);
    if (P.F.Listed || Visitor.Own.count(P.Order))
      U.add(std::move(P));
  }
  Undecided.clear();
}

} // namespace evenkeel

EK_REWRITE_RULE(NewExpressions, 20)
