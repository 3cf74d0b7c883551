//===- DroppedIn.cpp - a rule that nobody but this file knows -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists each call of `scratch_get` as memory on the stack, which is left where
// it is. It shows that a rule is one file (test/rewriter/dropped-in.c).
//===----------------------------------------------------------------------===//
#include "rules/Rule.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace evenkeel {
using namespace clang;

class DroppedIn : public Rule {
  Unit &U;

public:
  explicit DroppedIn(Unit &U) : U(U) {}
  void call(const CallExpr *CE) override {
    const FunctionDecl *FD = CE->getDirectCallee();
    if (!FD || !FD->getIdentifier() || FD->getName() != "scratch_get")
      return;
    Pending P;
    P.F.Class = Finding::Group::Site;
    P.F.Key.Kind = P.F.Form = "scratch_get";
    if (!U.locate(P, CE->getBeginLoc()))
      return;
    P.F.What = Finding::State::Left;
    P.F.Reason = "stack";
    U.add(std::move(P));
  }
};

} // namespace evenkeel

EK_REWRITE_RULE(DroppedIn, 200)
