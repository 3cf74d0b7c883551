//===- MacroText.h - the text that a macro's use stands for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to replace a macro's use by its expansion, as far as needed to
// edit certain tokens at that place only. This is done only if the text means
// the same in every configuration that it serves: the macros neither stringise
// nor paste and, unless there is only one configuration, have a single
// definition outside of conditionals.
// Not here: which tokens, and their edits (MacroUses.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_MACROTEXT_H
#define EVENKEEL_REWRITER_MACROTEXT_H

#include "Unit.h"

namespace evenkeel {

/// A place in a file.
using FilePlace = std::pair<clang::FileID, unsigned>;

/// The path of a token out of macros: the use in the file, the uses inside
/// macro bodies, and the token in the innermost body. Without steps, the token
/// is in an argument of the use.
struct MacroPath {
  FilePlace Use;
  std::vector<FilePlace> Steps;
};
std::optional<MacroPath> pathOf(Unit &U, clang::SourceLocation Loc);

struct MacroToken {
  std::string Text;
  bool Space = false;          // preceded by a space
  FilePlace At;                // in the macro's definition, or in the use
  std::vector<FilePlace> Uses; // the uses it was expanded from
  std::string Before = {}, After = {}; // text added around it
};

/// The text of one use, expanded step by step.
class MacroText {
  Unit &U;
  std::set<std::string> Expanded; // names of macros
  size_t AfterUse = 0;            // the token in the file after the use

  std::optional<size_t> find(FilePlace At,
                             const std::vector<FilePlace> &Uses) const;

public:
  clang::FileID File;
  unsigned Offset = 0, Length = 0; // of the use
  std::vector<MacroToken> Tokens;

  explicit MacroText(Unit &U) : U(U) {}
  /// Begins with the use of \p Path, which has steps, as it is written. False:
  /// no expansion of it is safe.
  bool start(const MacroPath &Path);
  /// Expands the uses along \p Path; nothing if it has no steps.
  bool expand(const MacroPath &Path);
  /// The token that \p Path leads to, after all expansions; nullopt if there is
  /// none or more than one.
  std::optional<size_t> find(const MacroPath &Path) const;
  /// Whether the text, as it is now, contains what would be read as a use of a
  /// macro that has been expanded. Inside its own body a macro's name is not a
  /// use.
  bool namesItself() const;
  /// The token in the file's table after the use.
  size_t afterUse() const { return AfterUse; }
  std::string str() const;
};

} // namespace evenkeel

#endif
