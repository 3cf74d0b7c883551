//===- TokenTable.h - a file's raw tokens and conditionals ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text of one file: its raw tokens, which of them belong to
// directives, and the #if branch of each. Edits are textual, so their positions
// are decided here and not in the AST, in which statements end before their
// semicolons and locations ignore directives.
// Not here: the meaning of macros and inactive branches; nothing is
// preprocessed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TOKENTABLE_H
#define EVENKEEL_REWRITER_TOKENTABLE_H

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace evenkeel {

/// The generated header of sources that are kept. It includes evenkeel/ek.h.
inline constexpr char IdsHeaderName[] = "evenkeel_ids.h";

class TokenTable {
public:
  struct Token {
    unsigned Offset, Length;
    clang::tok::TokenKind Kind; // identifiers are raw_identifier
    bool LineStart;             // first token of its (logical) line
    bool InDirective;           // part of a # line
    unsigned Arm; // index of its branch; 0 = outside all conditionals
    unsigned end() const { return Offset + Length; }
  };
  /// A branch: the text between two directives of one #if group.
  struct ArmInfo {
    unsigned Parent;
    bool OpenMP;           // the branch of `#ifdef _OPENMP`
    size_t Hash = 0;       // the # of its directive
    unsigned Previous = 0; // the branch before it in its group, or 0
  };
  static constexpr size_t None = ~size_t(0);

  TokenTable(llvm::StringRef Text, const clang::LangOptions &LangOpts);

  const Token &operator[](size_t I) const { return Tokens[I]; }
  size_t size() const { return Tokens.size(); }
  llvm::StringRef text(size_t I) const {
    return Buffer.substr(Tokens[I].Offset, Tokens[I].Length);
  }
  llvm::StringRef buffer() const { return Buffer; }

  /// The token that begins at \p Offset, or None.
  size_t at(unsigned Offset) const;
  /// First token after the directive whose # is token \p I.
  size_t afterDirective(size_t I) const;
  /// Last token before \p I that is not in a directive, or None.
  size_t previousPlain(size_t I) const;
  /// Whether two tokens exist in the same configurations. `#ifdef _OPENMP` does
  /// not count: hooks are harmless without OpenMP.
  bool sameConfigurations(size_t A, size_t B) const;
  /// The branches around token \p I, outermost first.
  std::vector<unsigned> armsOf(size_t I) const;
  const ArmInfo &arm(unsigned A) const { return Arms[A]; }

  unsigned lineStart(unsigned Offset) const;
  llvm::StringRef indentation(unsigned Offset) const;
  /// The file's own line ending.
  llvm::StringRef newline() const;

  /// Whether the file includes evenkeel/ek.h, or evenkeel_ids.h, itself.
  bool includesHeader() const { return HasHeader; }
  /// Whether one of the file's #include lines names the header \p Name.
  bool includes(llvm::StringRef Name) const;
  /// Offset for an #include: at the start of a line, after the last leading
  /// directive that precedes both the first declaration and \p Before, and
  /// outside all conditionals except an include guard.
  unsigned includeOffset(unsigned Before) const;

private:
  unsigned directiveEnd(size_t Last) const;
  std::vector<unsigned> strippedArms(size_t I) const;

  std::string Storage;
  llvm::StringRef Buffer;
  std::vector<Token> Tokens;
  std::vector<ArmInfo> Arms;
  bool HasHeader = false;
  std::vector<llvm::StringRef> Includes; // what follows the word
};

} // namespace evenkeel

#endif
