//===- OperatorCalls.h - operator new called as a function ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which explicit calls of the global operator new allocate, and how they
// are annotated (rules/operator-call.md).
// Not here: new-expressions (NewExpressions), std::allocator (Containers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPERATORCALLS_H
#define EVENKEEL_REWRITER_OPERATORCALLS_H

#include "Rule.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class OperatorCalls : public Rule {
  Unit &U;

public:
  explicit OperatorCalls(Unit &U) : U(U) {}
  void call(const clang::CallExpr *CE) override;
};

} // namespace evenkeel

#endif
