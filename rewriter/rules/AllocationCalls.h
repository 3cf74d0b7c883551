//===- AllocationCalls.h - the C allocation family --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the calls that allocate or free through the C library, the system or
// MPI, with one rule each, and how they are annotated (rules/*.md).
// Not here: operator new, containers, static storage.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_ALLOCATIONCALLS_H
#define EVENKEEL_REWRITER_ALLOCATIONCALLS_H

#include "Rule.h"
#include "allocators/AllocationRules.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace evenkeel {

/// The place of the last part of the name that \p CE calls, after `std::`.
clang::SourceLocation nameOfCallee(const clang::CallExpr *CE);

class AllocationCalls : public Rule {
  Unit &U;
  llvm::DenseSet<const clang::Expr *> Callees;

  bool insideAnnotated() const;
  bool editMacro(Pending &P, const clang::CallExpr *CE, const AllocationRule &R,
                 MacroText &M, size_t Name);
  void annotatedCall(const clang::CallExpr *CE, const char *Function);
  void makeEdits(Pending &P, const clang::CallExpr *CE, const AllocationRule &R,
                 const std::string &Cast);
  void makeLibraryEdits(Pending &P, const AllocationRule &R,
                        const std::string &Cast, const TokenTable &T,
                        size_t First, size_t Last, size_t Close);
  void reference(const clang::Expr *E, const clang::FunctionDecl *FD,
                 clang::SourceLocation Loc);

public:
  explicit AllocationCalls(Unit &U) : U(U) {}
  void function(const clang::FunctionDecl *FD) override;
  void call(const clang::CallExpr *CE) override;
  /// Handles names of the family outside calls; a call is visited before its
  /// callee.
  void reference(const clang::DeclRefExpr *DRE) override;
  void reference(const clang::UnresolvedLookupExpr *ULE) override;
};

} // namespace evenkeel

#endif
