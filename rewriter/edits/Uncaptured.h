//===- Uncaptured.h - the statement of a directive --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Clang wraps the statement of an OpenMP directive, as code that other
// threads run, and as a loop in canonical form.
// Not here: which threads run it (unit/OpenMPKinds.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_UNCAPTURED_H
#define EVENKEEL_REWRITER_UNCAPTURED_H

#include "clang/AST/StmtOpenMP.h"

namespace evenkeel {

/// The statement within Clang's wrappers around \p S; null for null.
inline const clang::Stmt *uncaptured(const clang::Stmt *S) {
  for (;;)
    if (const auto *C = llvm::dyn_cast_or_null<clang::CapturedStmt>(S))
      S = C->getCapturedStmt();
    else if (const auto *L = llvm::dyn_cast_or_null<clang::OMPCanonicalLoop>(S))
      S = L->getLoopStmt();
    else
      return S;
}

} // namespace evenkeel

#endif
