//===- Spelling.h - where directives and statements stand in text -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which tokens of which file spell an OpenMP directive (a # line,
// _Pragma, an attribute, or a macro that expands to one) and where a statement
// ends, its semicolon included, which the AST leaves out. Not here: what is
// put there.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_SPELLING_H
#define EVENKEEL_REWRITER_SPELLING_H

#include "Unit.h"

namespace evenkeel {

/// Tokens of a directive. Refused: the named reason why its text says nothing.
struct SpelledDirective {
  clang::FileID File;
  size_t First = TokenTable::None; // #, _Pragma or the name of a macro
  size_t Last = TokenTable::None;  // of _Pragma and macros; None: a # line
  bool Starts = true;              // the macro's expansion begins with it
  bool Ends = true;                // ... or ends with it
  bool InArgument = false;         // of a macro, where no # line may go
  bool Attribute = false;          // [[omp::directive(...)]]
  const char *Refused = nullptr;

  bool isLine() const { return Last == TokenTable::None; }
};
SpelledDirective spelledDirective(Unit &U, clang::SourceLocation Begin,
                                  clang::SourceLocation End);

/// The last token of a statement.
struct SpelledEnd {
  clang::FileID File;
  size_t Last = TokenTable::None;
  bool InMacro = false; // that token is written in or supplied by a macro's use
  const char *Refused = nullptr;
};
/// Whether \p A and \p B are expanded in one inclusion of one file.
bool isSameFile(const Unit &U, clang::SourceLocation A,
                clang::SourceLocation B);
/// How many of the first \p Around statements on the stack are spelled in the
/// file of \p At: text that several functions include is as deep in all.
unsigned depthInFile(const Unit &U, clang::SourceLocation At, size_t Around);

SpelledEnd spelledEnd(Unit &U, const clang::Stmt *S);

} // namespace evenkeel

#endif
