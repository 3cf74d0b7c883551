//===- WaitCalls.h - calls in which tasks wait ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of MPI, POSIX, C11 and C++ thread libraries are sync
// points, and how a hook follows them inside the expression
// (rules/wait-call.md).
// Not here: OpenMP directives (Hooks).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WAITCALLS_H
#define EVENKEEL_REWRITER_WAITCALLS_H

#include "Rule.h"
#include "format/SyncKind.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"

namespace evenkeel {

class WaitCalls : public Rule {
  Unit &U;
  /// Calls inside ek_after, with the id there.
  llvm::DenseMap<const clang::Expr *, uint64_t> Annotated;
  /// Member calls in templates that are decided by instances.
  std::vector<std::pair<const clang::CallExpr *, Pending>> Undecided;

  Pending begin(const clang::CallExpr *CE, SyncKind Wait, std::string Form,
                clang::QualType Result);
  void dependent(const clang::CallExpr *CE);
  void makeEdits(Pending &P, const clang::CallExpr *CE, bool Partial,
                 bool Void);

public:
  explicit WaitCalls(Unit &U) : U(U) {}
  void call(const clang::CallExpr *CE) override;
  void binary(const clang::BinaryOperator *BO) override;
  /// Call at the end of the walk: decides calls in templates by their
  /// instances.
  void decide() override;
};

} // namespace evenkeel

#endif
