//===- LibraryCalls.h - what grows inside a library -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of the standard library can make a block that is worth a
// decision: the containers' constructors and growing members, make_unique and
// its kin, std::allocator itself; and at which place the analysis names what
// they allocate. Not here: how such calls are annotated (Containers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARYCALLS_H
#define EVENKEEL_REWRITER_LIBRARYCALLS_H

#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// The function that \p E calls, its constructor included; null where that is
/// not known (yet).
const clang::FunctionDecl *calledFunction(const clang::Expr *E);

/// Whether a call of \p FD, as \p E makes it, grows a container of the standard
/// library (with the standard allocator) or makes a large object there.
bool growsContainer(const clang::ASTContext &C, const clang::Expr *E,
                    const clang::FunctionDecl *FD);

/// Whether \p FD is std::allocator's allocate(), or that of its traits; null is
/// none.
bool isAllocatorCall(const clang::FunctionDecl *FD);

/// Where debug information puts the call \p E: at `resize` in `v.resize(n)`, at
/// the variable that a constructor makes.
clang::SourceLocation placeOfCall(const clang::Expr *E);

} // namespace evenkeel

#endif
