//===- LinkedCalls.h - calls that a linker decides about --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of a unit are calls of allocation wrappers only if
// functions of other units are (LinkedWrappers.h), and their ids.
// Makes: their list, with what the unit says of functions itself. No text is
// edited for them: most turn out to be none.
// Not here: calls of what this unit shows to be wrappers (WrapperCalls,
// MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINKEDCALLS_H
#define EVENKEEL_REWRITER_LINKEDCALLS_H

#include "Rule.h"

namespace evenkeel {

class LinkedCalls : public Rule {
  Unit &U;
  WrapperFunctions &Functions;
  /// Calls that only instantiations know, at these places.
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
  /// After the walk.
  void decide() override;
};

} // namespace evenkeel

#endif
