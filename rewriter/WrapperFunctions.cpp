//===- WrapperFunctions.cpp - functions that allocate for others ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "WrapperFunctions.h"
#include "AllocationCalls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"

namespace evenkeel {
using namespace clang;

/// Behind the name of a function that makes blocks, among units' notes.
static const char MakesMark[] = " makes";

bool WrapperFunctions::mayBeElsewhere(const FunctionDecl *FD) {
  return mayGiveBlock(FD) && FD->isExternallyVisible() && !FD->isTemplated() &&
         !FD->getBuiltinID() && !FD->isMain();
}

static std::string linkName(const Unit &U, const FunctionDecl *FD) {
  return ASTNameGenerator(U.Context).getName(FD);
}

bool WrapperFunctions::isElsewhere(const Unit &U, const FunctionDecl *FD) {
  return U.Options.OtherWrappers && !U.Options.OtherWrappers->empty() &&
         mayBeElsewhere(FD) && U.Options.OtherWrappers->count(linkName(U, FD));
}

void WrapperFunctions::note(const FunctionDecl *FD) {
  if (!U.Options.OtherWrappers || !mayBeElsewhere(FD) || !contains(FD))
    return;
  U.Result.Wrappers.insert(linkName(U, FD));
  if (Known[subject(FD)].Makes)
    U.Result.Wrappers.insert(linkName(U, FD) + MakesMark);
}

void WrapperFunctions::noteElsewhere(const FunctionDecl *FD) {
  if (!U.Options.OtherWrappers || FD->isDefined() || !mayBeElsewhere(FD) ||
      !mayBe(FD))
    return;
  if (!contains(FD))
    U.Result.WrappersElsewhere.insert(linkName(U, FD));
  if (!Known[subject(FD)].Makes)
    U.Result.WrappersElsewhere.insert(linkName(U, FD) + MakesMark);
}

/// By its declaration, by people, or by the unit with its definition.
bool WrapperFunctions::isSaid(const FunctionDecl *FD) const {
  if (FD->getReturnType()->isPointerType())
    for (const FunctionDecl *R : FD->redecls())
      if (R->hasAttr<RestrictAttr>() || R->hasAttr<AllocSizeAttr>())
        return true;
  if (!U.Options.NamedWrappers.empty() &&
      U.Options.NamedWrappers.count(FD->getQualifiedNameAsString()))
    return true;
  return isElsewhere(U, FD);
}

/// Names aside, lambdas and what else is called by its object; and what a class
/// makes its objects with.
static bool mayHaveOperator(const FunctionDecl *FD) {
  const OverloadedOperatorKind K = FD->getOverloadedOperator();
  return isa<CXXMethodDecl>(FD) &&
         (K == OO_Call || K == OO_New || K == OO_Array_New);
}

/// By what its declaration says.
bool WrapperFunctions::mayBe(const FunctionDecl *FD) const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD))
    if (isa<CXXDestructorDecl, CXXConversionDecl>(M) || M->isImplicit() ||
        M->isDefaulted() || M->isLambdaStaticInvoker())
      return false;
  return (FD->getIdentifier() || isa<CXXConstructorDecl>(FD) ||
          mayHaveOperator(FD)) &&
         !FD->isMain() && FD->getLocation().isValid() &&
         !U.isInSystemHeader(FD->getLocation()) && !FD->getBuiltinID() &&
         mayGiveBlock(FD) && !isAllocationCall(FD) &&
         !(isLibraryLevel(FD) && FD->getIdentifier() &&
           FD->getName().starts_with("ek_"));
}

/// What is looked at for \p FD: the body it has, or that of its template.
const FunctionDecl *WrapperFunctions::subject(const FunctionDecl *FD) const {
  const FunctionDecl *Definition = FD->getDefinition();
  if (!Definition || !Definition->getBody())
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern())
      FD = Pattern;
  return FD->getCanonicalDecl();
}

Wrapper WrapperFunctions::look(const FunctionDecl *FD) const {
  Wrapper W;
  const FunctionDecl *Definition = FD->getDefinition();
  if (Definition && Definition->getBody())
    W = lookAtBody(U, Definition, Targets);
  W.Returns |= isSaid(FD);
  W.Makes |= isElsewhere(U, FD) &&
             U.Options.OtherWrappers->count(linkName(U, FD) + MakesMark);
  return W;
}

/// Looks at \p FD and at whatever decides for it.
void WrapperFunctions::settle(const FunctionDecl *FD) {
  std::vector<const FunctionDecl *> Next{FD}, New;
  while (!Next.empty()) {
    const FunctionDecl *At = Next.back();
    Next.pop_back();
    if (Known.count(At))
      continue;
    Wrapper W = look(At);
    for (Wrapper::Functions *List : {&W.ReturnsOf, &W.StoresOf, &W.Calls}) {
      Wrapper::Functions Subjects;
      for (const FunctionDecl *Other : *List)
        if (mayBe(Other))
          Subjects.insert(subject(Other));
      Next.insert(Next.end(), Subjects.begin(), Subjects.end());
      *List = std::move(Subjects);
    }
    Known[At] = std::move(W);
    New.push_back(At);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const FunctionDecl *At : New) {
      Wrapper &W = Known[At];
      auto Is = [&](const FunctionDecl *F) { return Known[F].is(); };
      const bool Returns = W.Returns || llvm::any_of(W.ReturnsOf, Is);
      const bool Makes = W.Makes || llvm::any_of(W.StoresOf, Is) ||
                         llvm::any_of(W.Calls, [&](const FunctionDecl *F) {
                           return Known[F].Makes;
                         });
      Changed |= Returns != W.Returns || Makes != W.Makes;
      W.Returns = Returns;
      W.Makes = Makes;
    }
  }
}

bool WrapperFunctions::mayReach(const CallExpr *CE) {
  for (const FunctionDecl *FD : Targets.of(CE))
    if (contains(FD))
      return true;
  return false;
}

bool WrapperFunctions::contains(const FunctionDecl *FD) {
  if (const auto *Made = dyn_cast<CXXConstructorDecl>(FD))
    if (const CXXConstructorDecl *Of =
            Made->getInheritedConstructor().getConstructor())
      FD = Of;
  if (fillsOwnContainer(U, FD))
    return true;
  if (!mayBe(FD))
    return false;
  FD = subject(FD);
  if (!Known.count(FD))
    settle(FD);
  return Known[FD].is();
}

} // namespace evenkeel
