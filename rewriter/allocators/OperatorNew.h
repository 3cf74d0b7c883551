//===- OperatorNew.h - forms of operator new that allocate ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which operators new are global ones that allocate, and the header's
// own forms of them, which take a site beside the size. Not here: who calls
// them (rules/NewExpressions, rules/OperatorCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPERATORNEW_H
#define EVENKEEL_REWRITER_OPERATORNEW_H

#include "unit/Unit.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// Whether \p T is what our own forms of operator new take beside the size.
bool isSiteTag(clang::QualType T);
/// The construction of such a tag that \p E is; null: it is none.
const clang::CXXConstructExpr *siteTag(const clang::Expr *E);
/// The id that \p E, such a tag, names; or 0.
uint64_t siteId(const clang::Expr *E);
/// Which parameter of \p FD takes a site; 0: none.
unsigned siteParameter(const clang::FunctionDecl *FD);
/// Whether \p FD is a form of the global operator new that allocates: one that
/// a program may replace, or one that names a site.
bool isGlobalNew(const clang::FunctionDecl *FD);

} // namespace evenkeel

#endif
