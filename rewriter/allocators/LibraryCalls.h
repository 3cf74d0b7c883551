//===- LibraryCalls.h - library calls that allocate -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of the standard library may allocate a block large enough
// to be placed (constructors and growing members of containers, make_unique and
// similar functions, std::allocator), and where the analysis locates their
// sites.
// Not here: how such calls are annotated (Containers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARYCALLS_H
#define EVENKEEL_REWRITER_LIBRARYCALLS_H

#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// The function or constructor that \p E calls; null if it is not known (yet).
const clang::FunctionDecl *calledFunction(const clang::Expr *E);

/// Whether the call \p E of \p FD makes a standard container (with the standard
/// allocator) grow, or creates a large object.
bool growsContainer(const clang::ASTContext &C, const clang::Expr *E,
                    const clang::FunctionDecl *FD);

/// Whether \p FD, which may be null, is allocate() of std::allocator or of its
/// allocator_traits.
bool isAllocatorCall(const clang::FunctionDecl *FD);

/// The place of the call \p E in debug information: `resize` in `v.resize(n)`;
/// the variable that a constructor initialises.
clang::SourceLocation placeOfCall(const clang::Expr *E);

} // namespace evenkeel

#endif
