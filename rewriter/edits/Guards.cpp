//===- Guards.cpp - preprocessor conditions, repeated elsewhere -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Guards.h.
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

/// The directive at token \p Hash on one line: `ifdef X`.
static std::string lineOf(const TokenTable &T, size_t Hash) {
  std::string Out;
  size_t End = std::min(T.afterDirective(Hash), T.size());
  for (size_t I = Hash + 1; I < End; ++I) {
    if (I > Hash + 1 && T[I].Offset != T[I - 1].end())
      Out += ' ';
    for (char C : T.text(I))
      if (C != '\\' && C != '\n' && C != '\r') // a name over two lines
        Out += C;
  }
  return Out;
}

/// `if defined(X)` and similar conditions as `ifdef X`.
static std::string simplified(const std::string &Line) {
  StringRef S = Line;
  if (!S.consume_front("if "))
    return Line;
  S = S.trim();
  bool Not = S.consume_front("!");
  S = S.ltrim();
  if (!S.consume_front("defined"))
    return Line;
  S = S.trim();
  if (S.consume_front("(")) {
    if (!S.consume_back(")"))
      return Line;
    S = S.trim();
  }
  if (S.empty() || !std::all_of(S.begin(), S.end(), [](unsigned char C) {
        return std::isalnum(C) || C == '_';
      }))
    return Line;
  return (Not ? "ifndef " : "ifdef ") + S.str();
}

/// The lines that open branch \p A: the directives of the branches before it,
/// then its own; or the opposite condition in one line.
static std::vector<std::string> openingOf(const TokenTable &T, unsigned A) {
  std::vector<std::string> Lines;
  for (unsigned B = A; B; B = T.arm(B).Previous)
    Lines.insert(Lines.begin(), simplified(lineOf(T, T.arm(B).Hash)));
  if (Lines.size() != 2 || !StringRef(Lines[1]).starts_with("else"))
    return Lines;
  StringRef First = Lines[0];
  if (First.consume_front("ifdef "))
    return {"ifndef " + First.str()};
  if (First.consume_front("ifndef "))
    return {"ifdef " + First.str()};
  if (First.consume_front("if "))
    return {"if !(" + First.str() + ")"};
  return Lines;
}

static std::string textOf(const TokenTable &T, unsigned A) {
  std::string Out;
  for (const std::string &Line : openingOf(T, A))
    Out += Line + '\n';
  return Out;
}

std::set<std::string> conditionsOf(const TokenTable &T, size_t I) {
  std::set<std::string> Result;
  for (unsigned A : T.armsOf(I))
    if (!T.arm(A).OpenMP)
      Result.insert(textOf(T, A));
  return Result;
}

std::string Guard::around(const std::string &Lines,
                          const std::string &Newline) const {
  std::string Out;
  for (const std::string &Line : Open)
    Out += "#" + Line + Newline;
  Out += Lines;
  for (unsigned I = 0; I < Ends; ++I)
    Out += "#endif" + Newline;
  return Out;
}

/// Whether the condition of branch \p A has the same value at token \p At: no
/// macro in it is redefined in between, and none depends on the place.
static bool holdsAt(const TokenTable &T, unsigned A, size_t At, bool Braces) {
  std::set<StringRef> Names;
  size_t From = T.arm(A).Hash;
  for (unsigned B = A; B; B = T.arm(B).Previous) {
    From = T.arm(B).Hash;
    size_t End = std::min(T.afterDirective(From), T.size());
    for (size_t I = From + 2; I < End; ++I)
      if (T[I].Kind == tok::raw_identifier)
        Names.insert(T.text(I));
  }
  for (StringRef Own : {"__LINE__", "__COUNTER__", "__INCLUDE_LEVEL__"})
    if (Names.count(Own))
      return false;
  for (size_t I = std::min(From, At); I < std::max(From, At); ++I) {
    if (!T[I].LineStart || !T[I].InDirective || I + 1 >= T.size())
      continue;
    StringRef Name = T.text(I + 1);
    if ((Braces && Name.starts_with("include")) ||
        ((Name == "define" || Name == "undef") && I + 2 < T.size() &&
         Names.count(T.text(I + 2))))
      return false;
  }
  return true;
}

std::optional<Guard> guardFor(const TokenTable &T,
                              const std::vector<size_t> &Of, size_t At,
                              bool Braces) {
  std::vector<unsigned> Here = T.armsOf(At);
  std::set<std::string> Said;
  Guard G;
  for (size_t Token : Of)
    for (unsigned A : T.armsOf(Token)) {
      if (std::find(Here.begin(), Here.end(), A) != Here.end())
        continue;
      if (!holdsAt(T, A, At, Braces))
        return std::nullopt;
      std::string Text = textOf(T, A);
      auto Same = [&](unsigned B) {
        return textOf(T, B) == Text && holdsAt(T, B, At, Braces);
      };
      if (std::any_of(Here.begin(), Here.end(), Same) ||
          !Said.insert(Text).second)
        continue;
      std::vector<std::string> Lines = openingOf(T, A);
      G.Open.insert(G.Open.end(), Lines.begin(), Lines.end());
      ++G.Ends;
    }
  return G;
}

/// The token after the closing parenthesis of the call at or after \p I.
static size_t afterCall(const TokenTable &T, size_t I) {
  for (unsigned Depth = 0; I < T.size(); ++I) {
    Depth += T[I].Kind == tok::l_paren;
    if (T[I].Kind == tok::r_paren && --Depth == 0)
      return I + 1;
  }
  return I;
}

bool isHook(const TokenTable &T, size_t I, const std::set<std::string> &Needed,
            const std::set<std::string> &Allowed) {
  auto Includes = [](const std::set<std::string> &A,
                     const std::set<std::string> &B) {
    return std::includes(A.begin(), A.end(), B.begin(), B.end());
  };
  while (I < T.size()) {
    if (T[I].InDirective) {
      StringRef Name = I + 1 < T.size() ? T.text(I + 1) : "";
      if (Name != "line" && Name != "endif" && !Name.starts_with("if") &&
          !Name.starts_with("el"))
        return false;
      I = T.afterDirective(I);
      continue;
    }
    bool Sync = T.text(I) == "ek_sync";
    if (!Sync && T.text(I) != "ek_region_end")
      return false;
    std::set<std::string> Here = conditionsOf(T, I);
    bool Ours = Includes(Here, Needed) && Includes(Allowed, Here);
    if (Sync && Ours)
      return true;
    unsigned Arm = T[I].Arm;
    I = afterCall(T, I) + 1; // and the semicolon
    if (I < T.size() && T[I].Kind == tok::r_brace && T[I].Arm == Arm)
      ++I;
  }
  return false;
}

} // namespace evenkeel
