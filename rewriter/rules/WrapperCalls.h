//===- WrapperCalls.h - calls of allocation wrappers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of a function that allocates for others get an id, which
// at run time makes a context of the allocation inside (rules/wrapper.md).
// Not here: which functions these are (WrapperFunctions); in C++, calls that
// return no pointer (MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERCALLS_H
#define EVENKEEL_REWRITER_WRAPPERCALLS_H

#include "Rule.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class WrapperCalls : public Rule {
  Unit &U;
  WrapperFunctions &Functions;
  /// Calls inside our own annotation, and its id.
  llvm::DenseMap<const clang::Expr *, uint64_t> Annotated;

  /// What stands before and behind the call; each \1 is its id.
  struct Form {
    std::string Before, After;
  };

  const char *refusal() const;
  std::optional<std::string> spelled(clang::QualType T) const;
  std::optional<Form> formOf(const clang::Expr *E) const;
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
