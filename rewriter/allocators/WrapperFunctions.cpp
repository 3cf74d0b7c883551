//===- WrapperFunctions.cpp - allocation wrappers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperFunctions.h.
//===----------------------------------------------------------------------===//
#include "WrapperFunctions.h"
#include "AllocationRules.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"

namespace evenkeel {
using namespace clang;

/// Suffix in units' notes: the function stores blocks for its callers.
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
  if (U.Options.LinkDecides && mayBeElsewhere(FD) && mayBe(FD) &&
      known(FD).mayBe())
    noteForLinker(FD);
  if (!U.Options.OtherWrappers || !mayBeElsewhere(FD) || !contains(FD))
    return;
  U.Result.Wrappers.insert(linkName(U, FD));
  if (Known[subject(FD)].Makes)
    U.Result.Wrappers.insert(linkName(U, FD) + MakesMark);
}

/// Whether the unit instantiates the template for other units, too.
static bool isForOthers(TemplateSpecializationKind Kind) {
  return Kind == TSK_ExplicitInstantiationDefinition;
}

void WrapperFunctions::noteInstances(const TemplateDecl *T) {
  if (const auto *Class = dyn_cast<ClassTemplateDecl>(T)) {
    for (const ClassTemplateSpecializationDecl *S : Class->specializations())
      if (isForOthers(S->getSpecializationKind()) && S->getDefinition())
        for (const Decl *D : S->getDefinition()->decls())
          if (const auto *FD = dyn_cast<FunctionDecl>(D))
            note(FD);
  } else if (const auto *Function = dyn_cast<FunctionTemplateDecl>(T)) {
    for (const FunctionDecl *FD : Function->specializations())
      if (isForOthers(FD->getTemplateSpecializationKind()))
        note(FD);
  }
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

/// Whether the declaration, the user (--wrapper), or the defining unit says
/// that \p FD is a wrapper.
bool WrapperFunctions::isStatedWrapper(const FunctionDecl *FD) const {
  if (FD->getReturnType()->isPointerType())
    for (const FunctionDecl *R : FD->redecls())
      if (R->hasAttr<RestrictAttr>() || R->hasAttr<AllocSizeAttr>())
        return true;
  if (!U.Options.NamedWrappers.empty() &&
      U.Options.NamedWrappers.count(FD->getQualifiedNameAsString()))
    return true;
  return Alone && isElsewhere(U, FD);
}

/// Whether \p FD is a call operator (also of a lambda) or a class's operator
/// new.
static bool mayHaveOperator(const FunctionDecl *FD) {
  const OverloadedOperatorKind K = FD->getOverloadedOperator();
  return isa<CXXMethodDecl>(FD) &&
         (K == OO_Call || K == OO_New || K == OO_Array_New);
}

/// Whether the declaration of \p FD permits it to be a wrapper.
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

static bool hasBody(const FunctionDecl *FD) {
  const FunctionDecl *Definition = FD->getDefinition();
  return Definition && Definition->getBody();
}

/// The function whose body is scanned for \p FD: itself or its template.
const FunctionDecl *WrapperFunctions::subject(const FunctionDecl *FD) const {
  if (!hasBody(FD))
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern();
        Pattern && hasBody(Pattern))
      FD = Pattern;
  return FD->getCanonicalDecl();
}

Wrapper WrapperFunctions::look(const FunctionDecl *FD) const {
  Wrapper W;
  if (hasBody(FD))
    W = scanBody(U, FD->getDefinition(), Targets);
  else
    W.MayReturn = W.MayMake =
        Alone && U.Options.LinkDecides && mayBeElsewhere(FD);
  W.Returns |= isStatedWrapper(FD);
  W.Makes |= Alone && isElsewhere(U, FD) &&
             U.Options.OtherWrappers->count(linkName(U, FD) + MakesMark);
  return W;
}

/// For a constructor inherited by `using Base::Base`, the one in the source.
static const FunctionDecl *written(const FunctionDecl *FD) {
  if (const auto *Made = dyn_cast<CXXConstructorDecl>(FD))
    if (const CXXConstructorDecl *Of =
            Made->getInheritedConstructor().getConstructor())
      return Of;
  return FD;
}

/// Scans \p FD and every function that it depends on.
void WrapperFunctions::settle(const FunctionDecl *FD) {
  std::vector<const FunctionDecl *> Next{FD}, New;
  while (!Next.empty()) {
    const FunctionDecl *At = Next.back();
    Next.pop_back();
    if (Known.count(At))
      continue;
    Wrapper W;
    if (Alone && mayHaveOperator(At)) {
      const Wrapper &OfUnit = Alone->known(At);
      W.Returns = OfUnit.Returns;
      W.Makes = OfUnit.Makes;
    } else {
      W = look(At);
    }
    for (Wrapper::Functions *List : {&W.ReturnsOf, &W.StoresOf, &W.Calls}) {
      Wrapper::Functions Subjects;
      for (const FunctionDecl *Other : *List)
        if (const FunctionDecl *Of = written(Other); mayBe(Of))
          Subjects.insert(subject(Of));
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
      auto MayBe = [&](const FunctionDecl *F) { return Known[F].mayBe(); };
      const bool Returns = W.Returns || llvm::any_of(W.ReturnsOf, Is);
      const bool Makes = W.Makes || llvm::any_of(W.StoresOf, Is) ||
                         llvm::any_of(W.Calls, [&](const FunctionDecl *F) {
                           return Known[F].Makes;
                         });
      const bool MayReturn = W.MayReturn || llvm::any_of(W.ReturnsOf, MayBe);
      const bool MayMake = W.MayMake || llvm::any_of(W.StoresOf, MayBe) ||
                           llvm::any_of(W.Calls, [&](const FunctionDecl *F) {
                             return Known[F].Makes || Known[F].MayMake;
                           });
      Changed |= Returns != W.Returns || Makes != W.Makes ||
                 MayReturn != W.MayReturn || MayMake != W.MayMake;
      W.Returns = Returns;
      W.Makes = Makes;
      W.MayReturn = MayReturn;
      W.MayMake = MayMake;
    }
  }
}

WrapperFunctions::WrapperFunctions(Unit &U, bool OfUnit)
    : U(U),
      Alone(OfUnit ? nullptr : std::make_unique<WrapperFunctions>(U, true)),
      Targets(
          U, OfUnit ? std::function<bool(const FunctionDecl *)>()
                    : [this](const FunctionDecl *FD) {
                        return Alone->contains(FD);
                      }) {}

bool WrapperFunctions::mayReach(const CallExpr *CE) {
  for (const FunctionDecl *FD : Targets.of(CE))
    if (contains(FD))
      return true;
  return false;
}

/// The result for \p FD, which may be a wrapper.
const Wrapper &WrapperFunctions::known(const FunctionDecl *FD) {
  FD = subject(FD);
  if (!Known.count(FD))
    settle(FD);
  return Known[FD];
}

bool WrapperFunctions::contains(const FunctionDecl *FD) {
  if (const FunctionDecl *Of = written(FD); Of != FD)
    return Alone ? Alone->contains(FD) : contains(Of);
  return fillsOwnContainer(U, FD) || (mayBe(FD) && known(FD).is());
}

//===--- Decisions left to the linker -------------------------------------===//

bool WrapperFunctions::mayBecome(const FunctionDecl *FD) {
  if (!U.Options.LinkDecides || !mayBe(FD))
    return false;
  const Wrapper &W = known(FD);
  return !W.is() && W.mayBe();
}

/// Unique in the unit. Templates have no link name, so we form one.
std::string WrapperFunctions::nameOf(const FunctionDecl *FD) const {
  return FD->isTemplated()
             ? FD->getQualifiedNameAsString() + "@" +
                   std::to_string(FD->getLocation().getRawEncoding())
             : linkName(U, FD);
}

std::string WrapperFunctions::markOf(const FunctionDecl *FD) const {
  return WrapperMark + nameOf(FD);
}

std::vector<std::string>
WrapperFunctions::namesOf(const FunctionDecl *FD) const {
  if (FD->isTemplated())
    return {};
  if (isa<CXXConstructorDecl>(FD))
    return ASTNameGenerator(U.Context).getAllManglings(FD);
  return {linkName(U, FD)};
}

void WrapperFunctions::noteForLinker(const FunctionDecl *FD) {
  std::vector<const FunctionDecl *> Next{FD};
  while (!Next.empty()) {
    FD = Next.back();
    Next.pop_back();
    const Wrapper W = known(FD);
    if (!Reported.insert(FD->getCanonicalDecl()).second ||
        (!W.is() && !hasBody(subject(FD))))
      continue; // its own unit notes it
    WrapperNode Is, Makes;
    Is.Mark = markOf(FD);
    Makes.Mark = MakerMark + nameOf(FD);
    Is.Names = Makes.Names = namesOf(FD);
    Is.Holds = W.is();
    Makes.Holds = W.Makes;
    auto Add = [&](WrapperNode &To, const FunctionDecl *Other, bool Maker) {
      const Wrapper &O = known(Other);
      if (To.Holds || !(Maker ? O.Makes || O.MayMake : O.mayBe()))
        return;
      To.IfAny.push_back((Maker ? MakerMark : WrapperMark) + nameOf(Other));
      Next.push_back(Other);
    };
    for (const FunctionDecl *Other : W.ReturnsOf)
      Add(Is, Other, false);
    for (const FunctionDecl *Other : W.StoresOf) {
      Add(Is, Other, false);
      Add(Makes, Other, false);
    }
    for (const FunctionDecl *Other : W.Calls) {
      Add(Is, Other, true);
      Add(Makes, Other, true);
    }
    for (WrapperNode *N : {&Is, &Makes}) {
      std::sort(N->IfAny.begin(), N->IfAny.end());
      N->IfAny.erase(std::unique(N->IfAny.begin(), N->IfAny.end()),
                     N->IfAny.end());
      if (N->Holds || !N->IfAny.empty())
        U.Result.Linked.Functions.push_back(*N);
    }
  }
}

} // namespace evenkeel
