//===- MacroUses.h - writing macros out where they are used -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what is to be edited in one use of a macro, of several rules together:
// the use is written out once, with all of it (rules/macro.md).
// Not here: the text (MacroText.h), and the edits of the tokens, which the
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

/// Lets \p P be edited in the body of a macro: \p Before and \p After go around
/// each of the \p Ranges of tokens, from the outside to the inside. \p Name is
/// a token that the macro supplies, if any is.
struct MacroRange {
  clang::SourceLocation Begin, End;
  std::string Before, After;
};
void editInMacro(Pending &P, clang::SourceLocation Name,
                 std::vector<MacroRange> Ranges, size_t Depth);

} // namespace evenkeel

#endif
