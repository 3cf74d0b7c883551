//===- LinkedCalls.h - calls decided at link time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the calls of a unit that call allocation wrappers only if functions of
// other units are wrappers (LinkedWrappers.h), and their ids.
// Makes: the list of these calls and the unit's facts about its own functions.
// The text is not edited, because most of these calls turn out not to call
// wrappers.
// Not here: calls of functions that are wrappers within this unit
// (WrapperCalls, MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINKEDCALLS_H
#define EVENKEEL_REWRITER_LINKEDCALLS_H

#include "Rule.h"

namespace evenkeel {

class LinkedCalls : public Rule {
  Unit &U;
  WrapperFunctions &Functions;
  /// Calls at these places that are decided by template instances.
  std::vector<std::pair<LinkedCall, clang::SourceLocation>> Undecided;

  bool isOut() const;
  void add(LinkedCall C, const clang::FunctionDecl *FD);
  void note(clang::SourceLocation Loc, const clang::FunctionDecl *FD);

public:
  LinkedCalls(Unit &U, WrapperFunctions &Functions)
      : U(U), Functions(Functions) {}
  void expression(const clang::Expr *E) override;
  void variable(const clang::VarDecl *VD) override;
  void initializer(const clang::CXXCtorInitializer *Init) override;
  /// Call after the walk.
  void decide() override;
};

} // namespace evenkeel

#endif
