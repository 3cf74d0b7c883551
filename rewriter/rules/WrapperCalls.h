//===- WrapperCalls.h - calls of allocation wrappers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of wrappers get an id, which becomes part of the context
// of allocations inside (rules/wrapper.md).
// Not here: which functions are wrappers (WrapperFunctions); C++ calls that do
// not return a pointer (MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERCALLS_H
#define EVENKEEL_REWRITER_WRAPPERCALLS_H

#include "Rule.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class WrapperCalls : public Rule {
  Unit &U;
  WrapperFunctions &Functions;
  /// Calls inside our own annotations, with their ids.
  llvm::DenseMap<const clang::Expr *, uint64_t> Annotated;

  /// The text before and after the call; each \1 is replaced by its id.
  struct Form {
    std::string Before, After;
  };

  const char *refusal() const;
  std::optional<std::string> spelled(clang::QualType T) const;
  std::optional<Form> formOf(const clang::Expr *E) const;
  std::optional<Form> keptFormOf(const clang::Expr *E) const;
  void note(const clang::Expr *E, const std::string &Name,
            clang::SourceLocation NameAt, const char *Refused = nullptr);
  bool isHidden(llvm::StringRef Name) const;

public:
  WrapperCalls(Unit &U, WrapperFunctions &Functions)
      : U(U), Functions(Functions) {}
  void binary(const clang::BinaryOperator *BO) override;
  void call(const clang::CallExpr *CE) override;
  void newExpression(const clang::CXXNewExpr *NE) override;
};

} // namespace evenkeel

#endif
