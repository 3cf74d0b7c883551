//===- OperatorNew.h - allocating forms of operator new ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the global forms of operator new that allocate, and the header's own
// forms, which take a site after the size.
// Not here: their calls (rules/NewExpressions, rules/OperatorCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPERATORNEW_H
#define EVENKEEL_REWRITER_OPERATORNEW_H

#include "unit/Unit.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// Whether \p T is the type that our own forms of operator new take after the
/// size.
bool isSiteTag(clang::QualType T);
/// The construction of such a tag in \p E, or null.
const clang::CXXConstructExpr *siteTag(const clang::Expr *E);
/// The id in \p E, an expression of that type, or 0.
uint64_t siteId(const clang::Expr *E);
/// The index of the parameter of \p FD that takes a site; 0: none.
unsigned siteParameter(const clang::FunctionDecl *FD);
/// Whether \p FD is an allocating form of the global operator new: a
/// replaceable one, or one that takes a site.
bool isGlobalNew(const clang::FunctionDecl *FD);

} // namespace evenkeel

#endif
