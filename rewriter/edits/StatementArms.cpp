//===- StatementArms.cpp - statements in conditional branches -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StatementArms.h.
//===----------------------------------------------------------------------===//
#include "StatementArms.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

bool endsStatement(tok::TokenKind K) {
  return K == tok::semi || K == tok::l_brace || K == tok::r_brace ||
         K == tok::colon;
}

bool mayBeOnlyStatement(const TokenTable &T, size_t First) {
  std::vector<unsigned> Own = T.armsOf(First);
  unsigned After = T[First].Arm;
  for (size_t I = First; (I = T.previousPlain(I)) != TokenTable::None;) {
    std::vector<unsigned> Arms = T.armsOf(I);
    if (Arms.size() <= Own.size() &&
        std::equal(Arms.begin(), Arms.end(), Own.begin()))
      return false; // there if the directive is
    if (T[I].Arm != After && !endsStatement(T[I].Kind))
      return true;
    After = T[I].Arm;
  }
  return false;
}

/// The first token at or after \p I that is not in a directive; None at \p End
/// or if a directive other than a pragma or #line comes first.
static size_t skipPragmas(const TokenTable &T, size_t I, size_t End) {
  while (I < End && T[I].InDirective) {
    StringRef Name = T.text(I + 1);
    if (Name != "pragma" && Name != "line")
      return TokenTable::None;
    I = T.afterDirective(I);
  }
  return I < End ? I : TokenTable::None;
}

/// The bracket before \p End that closes the bracket at token \p I.
static size_t closing(const TokenTable &T, size_t I, size_t End) {
  for (int Depth = 0; (I = skipPragmas(T, I, End)) != TokenTable::None; ++I) {
    tok::TokenKind K = T[I].Kind;
    Depth += K == tok::l_paren || K == tok::l_brace || K == tok::l_square;
    Depth -= K == tok::r_paren || K == tok::r_brace || K == tok::r_square;
    if (Depth == 0)
      return I;
  }
  return TokenTable::None;
}

/// The last token, before \p End, of the statement that begins at token \p I.
static size_t endOfStatement(const TokenTable &T, size_t I, size_t End) {
  while ((I = skipPragmas(T, I, End)) != TokenTable::None) {
    StringRef Word = T.text(I);
    if (Word == "{")
      return closing(T, I, End);
    if (Word == "if" || Word == "do" || Word == "switch" || Word == "else" ||
        Word == "try" || Word == "case" || Word == "default")
      return TokenTable::None;
    if (Word != "for" && Word != "while")
      break;
    I = closing(T, I + 1, End);
    if (I == TokenTable::None || T[I].Kind != tok::r_paren)
      return TokenTable::None;
    ++I;
  }
  for (; I < End && !T[I].InDirective; ++I) {
    tok::TokenKind K = T[I].Kind;
    if (K == tok::semi || K == tok::colon)
      return K == tok::semi ? I : TokenTable::None; // a label
    if (K == tok::l_paren || K == tok::l_brace || K == tok::l_square)
      if ((I = closing(T, I, End)) == TokenTable::None)
        break;
  }
  return TokenTable::None;
}

std::optional<StatementArms> statementArms(const TokenTable &T, size_t Last) {
  unsigned A = T[Last].Arm;
  if (!A)
    return std::nullopt;
  while (T.arm(A).Previous)
    A = T.arm(A).Previous;
  StatementArms S{T.arm(A).Hash, TokenTable::None};
  bool Always = false, Ends = false;
  for (size_t Hash = S.If; S.Endif == TokenTable::None;) {
    size_t Begin = T.afterDirective(Hash), Next = Begin;
    // Move to the line that ends the branch, past its pragmas.
    for (; Next < T.size(); ++Next)
      if (T[Next].InDirective && T[Next].LineStart &&
          (T.text(Next + 1) == "endif" || T.text(Next + 1).starts_with("el")))
        break;
    if (Begin == TokenTable::None || Next >= T.size())
      return std::nullopt;
    size_t End = endOfStatement(T, Begin, Next);
    if (End == TokenTable::None || End != T.previousPlain(Next))
      return std::nullopt;
    Ends |= End == Last;
    Always |= T.text(Hash + 1) == "else";
    if (T.text(Next + 1) == "endif")
      S.Endif = Next;
    Hash = Next;
  }
  return Always && Ends ? std::make_optional(S) : std::nullopt;
}

} // namespace evenkeel
