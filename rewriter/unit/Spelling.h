//===- Spelling.h - the text of directives and statements -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which tokens spell an OpenMP directive (a # line, _Pragma, an
// attribute, or a macro that expands to one), and where a statement ends,
// including its semicolon, which the AST omits.
// Not here: the text that is inserted there.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_SPELLING_H
#define EVENKEEL_REWRITER_SPELLING_H

#include "Unit.h"

namespace evenkeel {

/// Tokens of a directive. Refused: the named reason why its text cannot be
/// used.
struct SpelledDirective {
  clang::FileID File;
  size_t First = TokenTable::None; // #, _Pragma or a macro's name
  size_t Last = TokenTable::None;  // of _Pragma and macros; None: a # line
  bool Starts = true;              // the macro's expansion begins with it
  bool Ends = true;                // ... or ends with it
  bool InArgument = false; // in a macro's argument, where no # line may go
  bool Attribute = false;  // [[omp::directive(...)]]
  const char *Refused = nullptr;

  bool isLine() const { return Last == TokenTable::None; }
};
SpelledDirective spelledDirective(Unit &U, clang::SourceLocation Begin,
                                  clang::SourceLocation End);

/// The last token of a statement.
struct SpelledEnd {
  clang::FileID File;
  size_t Last = TokenTable::None;
  bool InMacro = false; // the token is in a macro's use or comes from it
  const char *Refused = nullptr;
};
/// Whether \p A and \p B are expanded in the same inclusion of one file.
bool isSameFile(const Unit &U, clang::SourceLocation A,
                clang::SourceLocation B);
/// The number of the first \p Around statements on the stack that are spelled
/// in the file of \p At. Text that several functions include has the same depth
/// in each.
unsigned depthInFile(const Unit &U, clang::SourceLocation At, size_t Around);

SpelledEnd spelledEnd(Unit &U, const clang::Stmt *S);

/// Whether \p S is a block, or one loop around a block: a line after its
/// brace cannot be mistaken for part of the statement.
bool endsWithOwnBraces(const clang::Stmt *S);

} // namespace evenkeel

#endif
