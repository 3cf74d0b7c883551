//===- StaticArrays.cpp - large arrays of static storage ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "StaticArrays.h"

namespace evenkeel {
using namespace clang;

void StaticArrays::variable(const VarDecl *VD) {
  if (isa<ParmVarDecl>(VD) || !VD->hasGlobalStorage() ||
      VD->isThisDeclarationADefinition() == VarDecl::DeclarationOnly ||
      VD->getType()->isDependentType() ||
      VD->getDeclContext()->isDependentContext())
    return;
  // Of several tentative definitions, the one that the compiler emits.
  if (VD->isThisDeclarationADefinition() == VarDecl::TentativeDefinition &&
      VD->getActingDefinition() != VD)
    return;
  const auto *AT = U.Context.getAsConstantArrayType(VD->getType());
  if (!AT || U.Context.getTypeSizeInChars(AT).getQuantity() < 64 * 1024)
    return;
  const FunctionDecl *Saved = U.Frames.back().Function;
  if (!VD->isStaticLocal())
    U.Frames.back().Function = nullptr;
  Pending P;
  P.F.Class = Finding::Group::Site;
  P.F.Key.Kind = "global:" + VD->getNameAsString();
  P.F.Form = VD->isStaticLocal() ? "static" : "global";
  P.F.What = Finding::State::Left;
  P.F.Reason = "static-storage";
  if (U.locate(P, VD->getLocation())) {
    P.F.Key.Column = 0;
    U.add(std::move(P));
  }
  U.Frames.back().Function = Saved;
}

} // namespace evenkeel
