//===- NewExpressions.h - new and new[] -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which new-expressions allocate through the global operator new, and
// how they are annotated (rules/new-expression.md).
// Not here: calls of functions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_NEWEXPRESSIONS_H
#define EVENKEEL_REWRITER_NEWEXPRESSIONS_H

#include "Rule.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class NewExpressions : public Rule {
  Unit &U;
  bool AnyDependent = false;
  /// Dependent new-expressions that, in some instance, use a class's operator
  /// new, or make a single object that is large enough to be placed.
  std::set<std::pair<clang::FileID, unsigned>> ClassNew, LargeNew;
  /// Those with placement arguments of unknown type.
  std::vector<Pending> Undecided;

  void makeEdits(Pending &P, const clang::CXXNewExpr *NE);
  void makeLibraryEdits(Pending &P, const clang::CXXNewExpr *NE,
                        clang::FileID FID, size_t I);
  void makeDeleteEdits(Pending &P, const clang::CXXDeleteExpr *DE);
  void makeKeptEdits(Pending &P, const clang::CXXNewExpr *NE, clang::FileID FID,
                     size_t I);

public:
  explicit NewExpressions(Unit &U) : U(U) {}
  void function(const clang::FunctionDecl *FD) override;
  void expression(const clang::Expr *E) override;
  void newExpression(const clang::CXXNewExpr *NE) override;
  /// Call after the walk, before the unit's finish().
  void decide() override;
};

} // namespace evenkeel

#endif
