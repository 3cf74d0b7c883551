//===- WrapperCalls.h - calls of allocation wrappers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of a function that allocates for others get an id, which
// at run time makes a context of the allocation inside (rules/wrapper.md).
// Leaves out: which functions these are (WrapperFunctions).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERCALLS_H
#define EVENKEEL_REWRITER_WRAPPERCALLS_H

#include "WrapperFunctions.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class WrapperCalls {
  Unit &U;
  WrapperFunctions Functions{U};
  /// Calls inside our own annotation, and its id.
  llvm::DenseMap<const clang::Expr *, uint64_t> Annotated;

  const char *refusal(const clang::CallExpr *CE) const;
  std::optional<std::string> castTo(const clang::CallExpr *CE) const;
  bool isHidden(llvm::StringRef Name) const;
  void makeEdits(Pending &P, const clang::CallExpr *CE, const std::string &Cast,
                 int Depth);

public:
  explicit WrapperCalls(Unit &U) : U(U) {}
  void comma(const clang::BinaryOperator *BO);
  void call(const clang::CallExpr *CE);
  /// Notes a definition for other units.
  void function(const clang::FunctionDecl *FD);
};

} // namespace evenkeel

#endif
