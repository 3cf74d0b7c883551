//===- MacroUses.h - expanding macro uses that need edits -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a macro use in which several rules have edits is expanded once, with
// all of these edits (rules/macro.md).
// Not here: the expansion (MacroText.h), and the edits of tokens, which the
// rules make (Pending::EditMacro).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_MACROUSES_H
#define EVENKEEL_REWRITER_MACROUSES_H

#include "Unit.h"

namespace evenkeel {

/// Adds the edits of what macros supply to \p Found, whose own edits are made;
/// skips it where a use cannot be written out. \p NamesAllocation: whether a
/// name may be that of a call which a rule edits.
void writeMacrosOut(Unit &U, std::vector<Pending> &Found,
                    bool (*NamesAllocation)(llvm::StringRef));

/// Makes \p P editable in a macro's body: \p Before and \p After enclose each
/// of the \p Ranges of tokens, outermost first. \p Name is a token that the
/// macro supplies, or invalid.
struct MacroRange {
  clang::SourceLocation Begin, End;
  std::string Before, After;
};
void editInMacro(Pending &P, clang::SourceLocation Name,
                 std::vector<MacroRange> Ranges, size_t Depth);

} // namespace evenkeel

#endif
