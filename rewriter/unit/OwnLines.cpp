//===- OwnLines.cpp - added text on lines of its own ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OwnLines.h.
//===----------------------------------------------------------------------===//
#include "OwnLines.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

void putLinesAfter(Pending &P, const TokenTable &T, size_t Last, int Rank,
                   const std::string &Lines) {
  const StringRef Text = T.buffer();
  const std::string NL = T.newline().str();
  const unsigned End = T[Last].end();
  size_t LineEnd = Text.find('\n', End);
  if (LineEnd == StringRef::npos)
    LineEnd = Text.size();
  const StringRef Rest = Text.slice(End, LineEnd);
  const bool CodeFollows = Last + 1 < T.size() && T[Last + 1].Offset < LineEnd;
  if (!CodeFollows && !Rest.contains("/*") && !Rest.ends_with("\\")) {
    const bool Ended = LineEnd < Text.size();
    P.F.Edits.push_back({static_cast<unsigned>(LineEnd + Ended), 0, Rank,
                         (Ended ? "" : NL) + Lines});
    return;
  }
  // A comment may go on in the next line.
  const unsigned Blanks =
      Rest.size() - Rest.ltrim(" \t").size(); // before what follows
  P.F.Edits.push_back(
      {End, Blanks, Rank, NL + Lines + T.indentation(End).str()});
}

void putLinesBefore(Pending &P, const TokenTable &T, unsigned Offset, int Rank,
                    const std::string &Lines) {
  const unsigned Start = T.lineStart(Offset);
  // The end of the code before it on its line.
  const unsigned End = T.buffer().take_front(Offset).rtrim(" \t").size();
  if (End <= Start)
    P.F.Edits.push_back({Start, 0, Rank, Lines});
  else
    P.F.Edits.push_back(
        {End, Offset - End, Rank,
         T.newline().str() + Lines + T.indentation(Offset).str()});
}

bool putInBlock(Pending &P, const TokenTable &T, size_t Open, size_t Close,
                int Rank, const std::string &Begin, const std::string &End) {
  if (T.text(Open) != "{" || T.text(Close) != "}" || Open + 1 >= Close)
    return false;
  const TokenTable::Token &Next = T[Open + 1];
  const std::string NL = T.newline().str();
  const std::string Indent = Next.LineStart && !Next.InDirective
                                 ? T.indentation(Next.Offset).str()
                                 : T.indentation(T[Open].Offset).str() + "  ";
  putLinesAfter(P, T, Open, Rank, Indent + Begin + NL);
  putLinesBefore(P, T, T[Close].Offset, -Rank, Indent + End + NL);
  return true;
}

std::string indentationAround(const TokenTable &T, size_t First) {
  if (!T[First].InDirective)
    return T.indentation(T[First].Offset).str();
  size_t Next = T.afterDirective(First);
  while (Next < T.size() && T[Next].InDirective)
    Next = T.afterDirective(Next);
  const size_t Before = T.previousPlain(First);
  if (Next < T.size() && T[Next].Kind != tok::r_brace)
    return T.indentation(T[Next].Offset).str();
  if (Before != TokenTable::None && T[Before].Kind != tok::l_brace)
    return T.indentation(T[Before].Offset).str();
  return T.indentation(T[First].Offset).str();
}

std::string nameIn(const TokenTable &T, size_t I, StringRef Macro) {
  for (; I + 2 < T.size() && T[I].Kind != tok::semi; ++I)
    if (T.text(I) == Macro && T[I + 1].Kind == tok::l_paren)
      return T.text(I + 2).str();
  return "";
}

} // namespace evenkeel
