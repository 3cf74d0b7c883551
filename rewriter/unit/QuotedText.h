//===- QuotedText.h - macro arguments that must not be edited ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which tokens are written in macro arguments that the macro stringises
// or pastes (C11 6.10.3.2, 6.10.3.3). An edit there would change strings or
// names of the program.
// Makes: a set of file locations, filled during preprocessing.
// Not here: what is skipped because of it (Unit.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_QUOTEDTEXT_H
#define EVENKEEL_REWRITER_QUOTEDTEXT_H

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/DenseSet.h"

namespace evenkeel {

using QuotedText = llvm::DenseSet<clang::SourceLocation>;

/// Fills \p Quoted, which must outlive the preprocessor.
class QuotedTextCallbacks : public clang::PPCallbacks {
  const clang::SourceManager &SM;
  QuotedText &Quoted;

  /// Whether the body of \p MI stringises or pastes \p Parameter. The comma of
  /// `, ##__VA_ARGS__` pastes nothing.
  static bool quotes(const clang::MacroInfo &MI,
                     const clang::IdentifierInfo *Parameter) {
    namespace tok = clang::tok;
    auto Tokens = MI.tokens();
    for (size_t I = 0; I < Tokens.size(); ++I) {
      if (Tokens[I].getIdentifierInfo() != Parameter)
        continue;
      if (I + 1 < Tokens.size() && Tokens[I + 1].is(tok::hashhash))
        return true;
      if (I == 0)
        continue;
      if (Tokens[I - 1].isOneOf(tok::hash, tok::hashat))
        return true;
      if (Tokens[I - 1].is(tok::hashhash) &&
          !(I >= 2 && Tokens[I - 2].is(tok::comma)))
        return true;
    }
    return false;
  }

public:
  QuotedTextCallbacks(const clang::SourceManager &SM, QuotedText &Quoted)
      : SM(SM), Quoted(Quoted) {}

  void MacroExpands(const clang::Token &, const clang::MacroDefinition &MD,
                    clang::SourceRange, const clang::MacroArgs *Args) override {
    const clang::MacroInfo *MI = MD.getMacroInfo();
    if (!MI || !Args)
      return;
    for (unsigned I = 0; I < MI->getNumParams(); ++I) {
      if (I >= Args->getNumMacroArguments() || !quotes(*MI, MI->params()[I]))
        continue;
      const clang::Token *T = Args->getUnexpArgument(I);
      for (; T->isNot(clang::tok::eof); ++T)
        Quoted.insert(SM.getSpellingLoc(T->getLocation()));
    }
  }
};

} // namespace evenkeel

#endif
