//===- ConstructText.h - text before and after a construct ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one OpenMP construct, and how text goes before and after its statement
// so that every line keeps its number and column, in the order of the nesting.
// Not here: what the text says (HookEdits, RegionEdits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CONSTRUCTTEXT_H
#define EVENKEEL_REWRITER_CONSTRUCTTEXT_H

#include "edits/Guards.h"
#include "unit/Spelling.h"
#include <optional>

namespace evenkeel {

class ConstructText {
protected:
  Unit &U;
  clang::SourceLocation Begin, End;               // of the directive
  const clang::OMPExecutableDirective *Directive; // null: not in the AST
  const clang::Stmt *Statement;                   // null: none
  unsigned Depth; // nesting depth: orders edits at one offset
  int RankAfter;  // of edits after the construct

  /// The directive, or else the statement, is on top of the unit's stack.
  ConstructText(Unit &U, clang::SourceLocation Begin, clang::SourceLocation End,
                const clang::OMPExecutableDirective *D, const clang::Stmt *S);

  /// The guard for text at token \p At that must exist where all tokens \p Of
  /// exist; nullopt if the conditions cannot be repeated there.
  std::optional<Guard> guard(TokenTable &T, const std::vector<size_t> &Of,
                             size_t At, bool Braces);
  /// Puts \p Text after a block on the same line. After a statement without
  /// braces, compilers would warn of misleading indentation.
  void putAfterStatement(Pending &P, const SpelledDirective &D,
                         const SpelledEnd &E, const Guard &Under,
                         const std::string &Text);
  /// Inserts \p Text at \p At, under conditions, and ends the line. The text
  /// there keeps its line and column. Conditions begin on a new line, as \p
  /// Fresh requires.
  void insertOwnLine(Pending &P, clang::FileID File, unsigned At, int Rank,
                     const Guard &Under, const std::string &Text,
                     bool Fresh = false);
  /// What follows \p Text inserted at \p At in the middle of a line.
  std::string afterText(clang::FileID File, unsigned At);
  /// Inserts \p Text before token \p Next, which begins a line.
  void insertBefore(Pending &P, clang::FileID File, const SpelledDirective &D,
                    size_t Next, const std::string &Text);
  std::string indentation(clang::FileID File, const SpelledDirective &D);
};

} // namespace evenkeel

#endif
