//===- ConstructText.cpp - text before and after a construct --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ConstructText.h.
//===----------------------------------------------------------------------===//
#include "ConstructText.h"
#include "edits/LineName.h"
#include "unit/OwnLines.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

ConstructText::ConstructText(Unit &U, SourceLocation Begin, SourceLocation End,
                             const OMPExecutableDirective *D, const Stmt *S)
    : U(U), Begin(Begin), End(End), Directive(D), Statement(S),
      Depth(1 + depthInFile(U, Begin, U.Stack.size() - (D ? 1 : 0))),
      RankAfter(-2 * static_cast<int>(Depth)) {}

/// Blanks that preserve the column of the text at \p At; empty at a line end.
static std::string padding(const TokenTable &T, unsigned At) {
  StringRef Rest = T.buffer().substr(At).take_until(
      [](char C) { return C == '\n' || C == '\r'; });
  return Rest.trim().empty() ? "" : std::string(At - T.lineStart(At), ' ');
}

std::optional<Guard> ConstructText::guard(TokenTable &T,
                                          const std::vector<size_t> &Of,
                                          size_t At, bool Braces) {
  std::optional<Guard> G = guardFor(T, Of, At, Braces);
  if (U.Options.OneConfiguration)
    return Guard();
  return G;
}

void ConstructText::putAfterStatement(Pending &P, const SpelledDirective &D,
                                      const SpelledEnd &E, const Guard &Under,
                                      const std::string &Text) {
  TokenTable &T = U.table(E.File);
  size_t Next = E.Last + 1;
  unsigned At = T[E.Last].end();
  bool OnItsLine = endsWithOwnBraces(Statement) || E.InMacro;
  if (!OnItsLine && Next < T.size() && T[Next].LineStart) {
    if (Under.empty())
      return insertBefore(P, E.File, D, Next, Text);
    // The place that it would have without conditions, to preserve the order
    // of edits here.
    At = T[Next].InDirective ? T.lineStart(T[Next].Offset) : T[Next].Offset;
  }
  if (!OnItsLine || !Under.empty())
    insertOwnLine(P, E.File, At, RankAfter, Under,
                  indentation(E.File, D) + Text,
                  /*Fresh=*/true);
  else
    P.F.Edits.push_back(
        {At, 0, RankAfter,
         " " + Text + (E.InMacro ? "" : afterText(E.File, At))});
}

void ConstructText::insertOwnLine(Pending &P, FileID File, unsigned At,
                                  int Rank, const Guard &Under,
                                  const std::string &Text, bool Fresh) {
  TokenTable &T = U.table(File);
  std::string NL = T.newline().str();
  if (U.Options.Kept) {
    const size_t I = T.at(T.buffer().find_first_not_of(" \t", At));
    return putLinesBefore(
        P, T, At, Rank,
        Under.around((I == TokenTable::None ? T.indentation(At).str()
                                            : indentationAround(T, I)) +
                         StringRef(Text).ltrim().str() + NL,
                     NL));
  }
  std::string Start = Fresh || !Under.empty() ? FreshLine + NL : "";
  P.F.Edits.push_back({At, 0, Rank,
                       Start + Under.around(Text + NL, NL) +
                           U.lineMarker(File, At) + NL + padding(T, At)});
}

std::string ConstructText::afterText(FileID File, unsigned At) {
  auto It = U.InlineDirectives.lower_bound({File, At});
  TokenTable &T = U.table(File);
  if (It == U.InlineDirectives.end() || It->first != File ||
      T.lineStart(It->second) != T.lineStart(At))
    return "";
  return T.newline().str() + U.lineMarker(File, At) + T.newline().str() +
         std::string(At - T.lineStart(At), ' ');
}

void ConstructText::insertBefore(Pending &P, FileID File,
                                 const SpelledDirective &D, size_t Next,
                                 const std::string &Text) {
  TokenTable &T = U.table(File);
  if (!T[Next].InDirective) {
    std::string After = afterText(File, T[Next].Offset);
    P.F.Edits.push_back(
        {T[Next].Offset, 0, RankAfter, Text + (After.empty() ? " " : After)});
    return;
  }
  // Another directive follows: after it, the hook would be too late or in
  // another configuration. So it gets its own line, and line numbers are
  // preserved.
  unsigned At = T.lineStart(T[Next].Offset);
  P.F.Edits.push_back({At, 0, RankAfter,
                       indentation(File, D) + Text + T.newline().str() +
                           U.lineMarker(File, At) + T.newline().str()});
}

std::string ConstructText::indentation(FileID File, const SpelledDirective &D) {
  TokenTable &T = U.table(File);
  return File == D.File ? T.indentation(T[D.First].Offset).str() : "";
}

} // namespace evenkeel
