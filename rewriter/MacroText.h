//===- MacroText.h - what a macro's use stands for, as text -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to write, in place of a macro's use, the tokens that it expands to
// as far as one token of interest, so that this token can be edited there and
// nowhere else. Only where the text means the same in every configuration that
// it has to serve: the macros neither stringise nor paste, and, unless there is
// but one configuration, have one definition each, outside of conditionals.
// Leaves out: which token, and what becomes of it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_MACROTEXT_H
#define EVENKEEL_REWRITER_MACROTEXT_H

#include "Unit.h"

namespace evenkeel {

struct MacroToken {
  std::string Text;
  bool Space = false; // in front of it
  clang::FileID File; // of the definition that it comes from, or of the use
  unsigned Offset = 0;
};

struct MacroText {
  clang::FileID File;
  unsigned Offset = 0, Length = 0; // of the use
  std::vector<MacroToken> Tokens;
  /// The token of interest. A macro that was written out may have its name,
  /// which then must not stay in the text.
  size_t Wanted = 0;

  std::string str() const;
};

/// The use whose expansion supplies the token at \p Loc, nested uses included;
/// nullopt: there is no safe text for it.
std::optional<MacroText> textOfMacro(Unit &U, clang::SourceLocation Loc);

} // namespace evenkeel

#endif
