//===- StackArrays.cpp - large variables on the stack ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StackArrays.h.
//===----------------------------------------------------------------------===//
#include "StackArrays.h"
#include "format/ek_sizes.h"

namespace evenkeel {
using namespace clang;

void StackArrays::variable(const VarDecl *VD) {
  QualType T = VD->getType();
  if (isa<ParmVarDecl>(VD) || !VD->isLocalVarDecl() || !VD->hasLocalStorage() ||
      T->isDependentType() || T->isReferenceType() || T->isIncompleteType() ||
      VD->getDeclContext()->isDependentContext())
    return;
  if (!T->isVariableArrayType() &&
      !((T->isArrayType() || T->isRecordType()) &&
        U.Context.getTypeSizeInChars(T).getQuantity() >= EK_LARGE_BYTES))
    return;
  Pending P;
  P.F.Class = Finding::Group::Site;
  P.F.Outside = true;
  P.F.Key.Kind = "stack:" + VD->getNameAsString();
  P.F.Form = "stack";
  if (!U.locate(P, VD->getLocation()))
    return;
  P.F.Key.Column = 0;
  P.F.What = Finding::State::Left;
  P.F.Reason = "stack";
  U.add(std::move(P));
}

} // namespace evenkeel

EK_REWRITE_RULE(StackArrays, 100)
