//===- Collect.h - from one unit's AST to findings --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: in the AST of one unit, which calls and new-expressions are sites and
// which OpenMP directives wait; their identity; and the edits that annotate
// them, or the named reason why there are none.
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

/// Walks \p Context and adds to \p Result; does not edit \p Quoted text.
void collectUnit(clang::ASTContext &Context, const clang::HeaderSearch &Headers,
                 const CollectOptions &Options, const QuotedText &Quoted,
                 UnitResult &Result);

} // namespace evenkeel

#endif
