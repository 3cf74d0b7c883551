//===- Spelling.cpp - the text of directives and statements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spelling.h. Clang locates a directive at its `#` or `_Pragma`, and its
// end at the expansion of _Pragma; in attributes and after a metadirective's
// selector, at the directive's own name.
//===----------------------------------------------------------------------===//
#include "Spelling.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

/// The closing bracket that matches the first opening one at or after token \p
/// I.
static size_t closing(const TokenTable &T, size_t I, tok::TokenKind Left,
                      tok::TokenKind Right) {
  unsigned Depth = 0;
  for (; I < T.size(); ++I)
    if (T[I].Kind == Left)
      ++Depth;
    else if (T[I].Kind == Right && Depth && --Depth == 0)
      return I;
  return TokenTable::None;
}

/// Finds the attribute that contains token \p Name; false if there is none.
static bool findAttribute(const TokenTable &T, size_t Name,
                          SpelledDirective &S) {
  auto Twice = [&](size_t I, tok::TokenKind K) {
    return I + 1 < T.size() && T[I].Kind == K && T[I + 1].Kind == K;
  };
  size_t I = Name;
  while (I > 0 && !Twice(I, tok::l_square) && T[I].Kind != tok::semi &&
         T[I].Kind != tok::l_brace)
    --I;
  S.First = I;
  S.Last = closing(T, I, tok::l_square, tok::r_square);
  S.Attribute = true;
  return Twice(I, tok::l_square) && S.Last != TokenTable::None && S.Last > Name;
}

/// The # of the line that contains token \p I.
static size_t startOfLine(const TokenTable &T, size_t I) {
  while (I > 0 && !T[I].LineStart)
    --I;
  return I;
}

SpelledDirective spelledDirective(Unit &U, SourceLocation Begin,
                                  SourceLocation End) {
  SpelledDirective S;
  auto Refuse = [&](const char *Why) {
    S.Refused = Why;
    return S;
  };
  if (SourceLocation Written = U.spelledInFile(Begin); Written.isValid()) {
    auto [File, Offset] = U.SM.getDecomposedLoc(Written);
    S.File = File;
    S.InArgument = Begin.isMacroID();
    TokenTable &T = U.table(File);
    S.First = T.at(Offset);
    if (S.First == TokenTable::None)
      return Refuse("macro-directive");
    if (Begin.isMacroID() && U.Quoted.count(Written))
      return Refuse("macro-stringised");
    if (T[S.First].InDirective) { // also after a metadirective's selector
      S.First = startOfLine(T, S.First);
      return S;
    }
    if (T.text(S.First) != "_Pragma")
      return findAttribute(T, S.First, S) ? S : Refuse("macro-directive");
    S.Last = closing(T, S.First, tok::l_paren, tok::r_paren);
    return S.Last == TokenTable::None ? Refuse("macro-directive") : S;
  }
  // In a macro's body, only the text around the expansion can be edited.
  CharSourceRange Expansion = U.SM.getExpansionRange(Begin);
  auto [File, Offset] = U.SM.getDecomposedLoc(Expansion.getBegin());
  auto [EndFile, EndOffset] = U.SM.getDecomposedLoc(Expansion.getEnd());
  TokenTable &T = U.table(File);
  S.File = File;
  S.First = T.at(Offset);
  S.Last = T.at(EndOffset);
  if (File != EndFile || S.First == TokenTable::None ||
      S.Last == TokenTable::None || T[S.First].InDirective)
    return Refuse("macro-directive");
  SourceLocation Outer;
  S.Starts = Lexer::isAtStartOfMacroExpansion(Begin, U.SM, U.LO, &Outer) &&
             Outer == Expansion.getBegin();
  SourceLocation Close = End;
  if (Close.isMacroID())
    Close = U.SM.getImmediateExpansionRange(Close).getEnd();
  S.Ends = Close.isMacroID() &&
           Lexer::isAtEndOfMacroExpansion(Close, U.SM, U.LO, &Outer) &&
           Outer == Expansion.getEnd();
  return S;
}

bool isSameFile(const Unit &U, SourceLocation A, SourceLocation B) {
  return U.SM.getFileID(U.SM.getExpansionLoc(A)) ==
         U.SM.getFileID(U.SM.getExpansionLoc(B));
}

unsigned depthInFile(const Unit &U, SourceLocation At, size_t Around) {
  return std::count_if(
      U.Stack.begin(), U.Stack.begin() + Around,
      [&](const Stmt *S) { return isSameFile(U, S->getBeginLoc(), At); });
}

/// Last spelled token of \p S; sets NeedsSemicolon if the AST omits its `;`.
static SourceLocation statementEnd(const Stmt *S, bool &NeedsSemicolon) {
  NeedsSemicolon = false;
  for (;;) {
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
      if (!D->hasAssociatedStmt())
        return {};
      S = D->getRawStmt();
    } else if (const auto *C = dyn_cast<CapturedStmt>(S)) {
      S = C->getCapturedStmt();
    } else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S)) {
      S = L->getLoopStmt();
    } else if (const auto *F = dyn_cast<ForStmt>(S)) {
      S = F->getBody();
    } else if (const auto *F = dyn_cast<CXXForRangeStmt>(S)) {
      S = F->getBody();
    } else if (const auto *W = dyn_cast<WhileStmt>(S)) {
      S = W->getBody();
    } else if (const auto *I = dyn_cast<IfStmt>(S)) {
      S = I->getElse() ? I->getElse() : I->getThen();
    } else if (const auto *W = dyn_cast<SwitchStmt>(S)) {
      S = W->getBody();
    } else if (const auto *L = dyn_cast<LabelStmt>(S)) {
      S = L->getSubStmt();
    } else if (const auto *C = dyn_cast<SwitchCase>(S)) {
      S = C->getSubStmt();
    } else if (const auto *A = dyn_cast<AttributedStmt>(S)) {
      S = A->getSubStmt();
    } else if (const auto *T = dyn_cast<CXXTryStmt>(S)) {
      S = T->getHandler(T->getNumHandlers() - 1)->getHandlerBlock();
    } else {
      break;
    }
    if (!S)
      return {};
  }
  // Declarations and empty statements end with their semicolon, blocks with
  // their brace.
  NeedsSemicolon =
      !isa<CompoundStmt>(S) && !isa<NullStmt>(S) && !isa<DeclStmt>(S);
  return S->getEndLoc();
}

/// The semicolon after the token at \p Loc if both come from one macro body;
/// otherwise \p Loc.
static SourceLocation withSemicolon(Unit &U, SourceLocation Loc) {
  if (!U.SM.isMacroBodyExpansion(Loc))
    return Loc;
  SourceLocation Spelled = U.SM.getSpellingLoc(Loc);
  std::optional<Token> Next = Lexer::findNextToken(Spelled, U.SM, U.LO);
  if (!Next || Next->isNot(tok::semi))
    return Loc;
  return Loc.getLocWithOffset(
      static_cast<int>(Next->getLocation().getRawEncoding()) -
      static_cast<int>(Spelled.getRawEncoding()));
}

SpelledEnd spelledEnd(Unit &U, const Stmt *S) {
  SpelledEnd E;
  bool NeedsSemicolon;
  SourceLocation End = statementEnd(S, NeedsSemicolon);
  E.InMacro = End.isMacroID();
  if (End.isMacroID()) {
    if (SourceLocation Written = U.spelledInFile(End); Written.isValid()) {
      if (U.Quoted.count(Written)) {
        E.Refused = "macro-stringised";
        return E;
      }
      End = Written;
    } else {
      if (NeedsSemicolon) {
        SourceLocation Semicolon = withSemicolon(U, End);
        NeedsSemicolon = Semicolon == End;
        End = Semicolon;
      }
      SourceLocation Outer;
      End = Lexer::isAtEndOfMacroExpansion(End, U.SM, U.LO, &Outer)
                ? Outer
                : SourceLocation();
    }
  }
  E.Refused = "macro-body";
  if (End.isInvalid())
    return E;
  auto [File, Offset] = U.SM.getDecomposedLoc(End);
  TokenTable &T = U.table(File);
  size_t Last = T.at(Offset);
  if (Last != TokenTable::None && NeedsSemicolon) {
    ++Last;
    if (Last >= T.size() || T[Last].Kind != tok::semi)
      Last = TokenTable::None;
  }
  if (Last == TokenTable::None || T[Last].InDirective)
    return E;
  return {File, Last, E.InMacro, nullptr};
}

bool endsWithOwnBraces(const Stmt *S) {
  for (bool InLoop = false;;)
    if (const auto *C = dyn_cast<CapturedStmt>(S))
      S = C->getCapturedStmt();
    else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S))
      S = L->getLoopStmt();
    else if (const auto *D = dyn_cast<OMPExecutableDirective>(S);
             D && !InLoop && D->hasAssociatedStmt())
      S = D->getRawStmt();
    else if (const auto *F = dyn_cast<ForStmt>(S); F && !InLoop)
      InLoop = true, S = F->getBody();
    else if (const auto *F = dyn_cast<CXXForRangeStmt>(S); F && !InLoop)
      InLoop = true, S = F->getBody();
    else
      return isa<CompoundStmt>(S);
}

} // namespace evenkeel
