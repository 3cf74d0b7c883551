//===- OperatorCalls.cpp - operator new called as a function --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OperatorCalls.h. The site is added after the size, as in the header's own
// forms of the operator:
//   ::operator new(n, std::nothrow)
//   ->   ::operator new(n, ::ek::site(ID), std::nothrow)
//===----------------------------------------------------------------------===//
#include "OperatorCalls.h"
#include "allocators/OperatorNew.h"
#include "unit/Spelling.h"
#include "clang/Basic/Builtins.h"

namespace evenkeel {
using namespace clang;

void OperatorCalls::call(const CallExpr *CE) {
  const FunctionDecl *FD = CE->getDirectCallee();
  if (!FD || CE->getNumArgs() == 0)
    return;
  const bool Builtin = FD->getBuiltinID() == Builtin::BI__builtin_operator_new;
  if (!Builtin && !isGlobalNew(FD))
    return;
  Pending P;
  P.F.Key.Kind = "site";
  P.F.Form = FD->getNameAsString();
  P.F.Class = Finding::Group::Site;
  if (!U.locate(P, CE->getBeginLoc()))
    return;
  const unsigned Site = siteParameter(FD);
  if (Site && Site < CE->getNumArgs()) {
    P.F.What = Finding::State::Already;
    P.LiteralId = siteId(CE->getArg(Site));
  } else if (Builtin) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "builtin-operator";
  } else if (isUserDefined(U, FD)) {
    skipUnlisted(P, "user-allocator");
  } else if (U.Options.Kept) {
    skip(P, "kept-style");
  } else if (U.inConstexprFunction()) {
    skip(P, "constexpr");
  } else {
    U.checkPlace(P, CE->getBeginLoc());
  }
  const int Rank =
      static_cast<int>(depthInFile(U, CE->getBeginLoc(), U.Stack.size())) * 4;
  P.MakeEdits = [this, CE, Rank](Pending &P) {
    if (U.putAround(P, CE->getArg(0), "",
                    ", ::ek::site(" + U.idArguments(P) + ")", Rank))
      P.F.Anchor = U.SM.getDecomposedLoc(P.Text).second;
  };
  U.add(std::move(P));
}

} // namespace evenkeel

EK_REWRITE_RULE(OperatorCalls, 30)
