//===- MacroText.h - what a macro's use stands for, as text -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to write, in place of a macro's use, the tokens that it expands to
// as far as some tokens of interest, so that these can be edited there and
// nowhere else. Only where the text means the same in every configuration that
// it has to serve: the macros neither stringise nor paste, and, unless there is
// but one configuration, have one definition each, outside of conditionals.
// Not here: which tokens, and what becomes of them (MacroUses.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_MACROTEXT_H
#define EVENKEEL_REWRITER_MACROTEXT_H

#include "Unit.h"

namespace evenkeel {

/// A place in a file.
using FilePlace = std::pair<clang::FileID, unsigned>;

/// How a token comes out of macros: the use that is written in the file, the
/// uses in the bodies of macros inside, and the token in the innermost body.
/// Empty steps: the token itself, in the arguments of a use.
struct MacroPath {
  FilePlace Use;
  std::vector<FilePlace> Steps;
};
std::optional<MacroPath> pathOf(Unit &U, clang::SourceLocation Loc);

struct MacroToken {
  std::string Text;
  bool Space = false; // in front of it
  FilePlace At;       // in the definition that it comes from, or in the use
  std::vector<FilePlace> Uses;         // that it comes out of
  std::string Before = {}, After = {}; // what is added to it
};

/// The text of one use, written out step by step.
class MacroText {
  Unit &U;
  std::set<std::string> Expanded; // names of macros
  size_t Behind = 0;              // the token of the file behind the use

  std::optional<size_t> find(FilePlace At,
                             const std::vector<FilePlace> &Uses) const;

public:
  clang::FileID File;
  unsigned Offset = 0, Length = 0; // of the use
  std::vector<MacroToken> Tokens;

  explicit MacroText(Unit &U) : U(U) {}
  /// The use that \p Path, with steps, comes out of, as it is written. False:
  /// there is no safe text for it.
  bool start(const MacroPath &Path);
  /// Writes out what \p Path goes through; of one without steps, nothing.
  bool expand(const MacroPath &Path);
  /// The token that \p Path leads to, once everything is written out; nullopt:
  /// it is none, or not the only one.
  std::optional<size_t> find(const MacroPath &Path) const;
  /// Whether the text, with its tokens as they are now, would be taken for a
  /// use of a macro that has been written out. In its own body a macro's name
  /// is no use of it.
  bool namesItself() const;
  /// The token of the file's table behind the use.
  size_t behind() const { return Behind; }
  std::string str() const;
};

} // namespace evenkeel

#endif
