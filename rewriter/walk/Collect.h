//===- Collect.h - from one unit's AST to findings --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the Clang AST of one unit: which calls and new-expressions are sites,
// which OpenMP directives make tasks wait, where each stands (identity) and
// which edits annotate it, or the named reason why none does.
// Not here: other units, files on disk, output.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COLLECT_H
#define EVENKEEL_REWRITER_COLLECT_H

#include "edits/Findings.h"
#include "unit/CollectOptions.h"
#include "unit/QuotedText.h"

namespace clang {
class ASTContext;
class HeaderSearch;
} // namespace clang

namespace evenkeel {

/// Walks \p Context and adds to \p Result; leaves \p Quoted text alone.
void collectUnit(clang::ASTContext &Context, const clang::HeaderSearch &Headers,
                 const CollectOptions &Options, const QuotedText &Quoted,
                 UnitResult &Result);

} // namespace evenkeel

#endif
