//===- MakerCalls.h - wrapper calls without a pointer result ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how C++ calls of allocation wrappers are annotated that do not return
// a pointer: constructors, allocating members, functions that return a block
// through a parameter or in an object (rules/wrapper.md).
// Not here: which functions are wrappers (WrapperFunctions); calls that return
// pointers (WrapperCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_MAKERCALLS_H
#define EVENKEEL_REWRITER_MAKERCALLS_H

#include "Rule.h"
#include "unit/Operands.h"

namespace evenkeel {

class MakerCalls : public Rule {
  Unit &U;
  WrapperFunctions &Functions;
  Operands Text{U};
  /// Calls at these places that are decided by template instances.
  std::vector<std::pair<Pending, clang::SourceLocation>> Undecided;

  void note(const clang::Expr *E, clang::SourceLocation Place,
            const clang::FunctionDecl *FD, Operands::Wrap W,
            const char *Refused);
  bool isBare(const clang::CXXConstructExpr *Made) const;
  void dependentInit(const clang::Expr *Init, clang::SourceLocation Place);
  void makeEdits(Pending &P, const clang::Expr *E, const Operands::Wrap &W,
                 clang::SourceLocation Place);
  void appendTo(Pending &P);

public:
  MakerCalls(Unit &U, WrapperFunctions &Functions)
      : U(U), Functions(Functions) {}
  void variable(const clang::VarDecl *VD) override;
  void expression(const clang::Expr *E) override;
  void initializer(const clang::CXXCtorInitializer *Init) override;
  /// Call after the walk, before the unit's finish().
  void decide() override;
};

} // namespace evenkeel

#endif
