//===- MacroText.cpp - the text that a macro's use stands for -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MacroText.h.
//===----------------------------------------------------------------------===//
#include "MacroText.h"
#include "clang/Basic/CharInfo.h"
#include <algorithm>
#include <tuple>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;
using Tokens = std::vector<MacroToken>;

namespace {
struct Definition {
  std::string Name;
  bool FunctionLike = false;
  std::vector<std::string> Params;
  Tokens Body;
};
} // namespace

static bool spaced(const TokenTable &T, size_t I) {
  return I > 0 && T[I - 1].end() != T[I].Offset;
}

/// Whether token \p I exists in every configuration: it is outside all
/// conditionals, except one around the whole file.
static bool unconditional(const TokenTable &T, size_t I) {
  if (T[I].Arm == 0)
    return true;
  size_t Last = T.size() - 1;
  return T[I].Arm == 1 && T[0].InDirective && T.size() > 1 &&
         T.text(1) == "ifndef" && T[Last].InDirective && T[Last].Arm == 1;
}

/// The directive that defines the macro whose body contains the token at \p
/// Offset.
static std::optional<Definition> definitionAt(Unit &U, FileID FID,
                                              unsigned Offset) {
  if (U.absolutePath(FID).empty() ||
      U.isInSystemHeader(U.SM.getLocForStartOfFile(FID)))
    return std::nullopt;
  TokenTable &T = U.table(FID);
  size_t I = T.at(Offset);
  if (I == TokenTable::None || !T[I].InDirective)
    return std::nullopt;
  while (I > 0 && !T[I].LineStart)
    --I;
  // The expanded body is the one found here. Other definitions matter only if
  // the text must hold in their configurations as well.
  bool Everywhere = !U.Options.OneConfiguration;
  if (I + 2 >= T.size() || T.text(I + 1) != "define" ||
      (Everywhere && !unconditional(T, I)))
    return std::nullopt;
  Definition D;
  D.Name = T.text(I + 2).str();
  for (size_t J = 0; Everywhere && J + 2 < T.size(); ++J)
    if (J != I && T[J].LineStart && T[J].InDirective &&
        (T.text(J + 1) == "define" || T.text(J + 1) == "undef") &&
        T.text(J + 2) == D.Name)
      return std::nullopt;
  size_t End = T.afterDirective(I);
  End = std::min(End, T.size());
  size_t B = I + 3;
  if (B < End && T[B].Kind == tok::l_paren && !spaced(T, B)) {
    D.FunctionLike = true;
    for (++B; B < End && T[B].Kind != tok::r_paren; ++B)
      if (T[B].Kind == tok::raw_identifier)
        D.Params.push_back(T.text(B).str());
      else if (T[B].Kind != tok::comma)
        return std::nullopt; // variadic
    ++B;
  }
  for (; B < End; ++B) {
    // At the start of a line, the token begins with the line continuation.
    StringRef Text = T.text(B);
    while (Text.consume_front("\\\n") || Text.consume_front("\\\r\n"))
      ;
    if (T[B].Kind == tok::hash || T[B].Kind == tok::hashhash ||
        Text.contains('\n'))
      return std::nullopt;
    D.Body.push_back({Text.str(),
                      spaced(T, B) || Text.size() != T.text(B).size(),
                      {FID, T[B].Offset},
                      {}});
  }
  if (!D.Body.empty())
    D.Body[0].Space = false;
  return D;
}

/// The tokens of each argument of the use at \p Name. \p End is set to the
/// position after the use.
static std::optional<std::vector<Tokens>>
argumentsAt(const Tokens &Text, size_t Name, size_t &End) {
  if (Name + 1 >= Text.size() || Text[Name + 1].Text != "(")
    return std::nullopt;
  std::vector<Tokens> Result(1);
  unsigned Depth = 1;
  for (size_t I = Name + 2; I < Text.size(); ++I) {
    StringRef S = Text[I].Text;
    Depth += S == "(";
    if (S == ")" && --Depth == 0) {
      End = I + 1;
      return Result;
    }
    if (S == "," && Depth == 1)
      Result.emplace_back();
    else
      Result.back().push_back(Text[I]);
  }
  return std::nullopt;
}

/// Replaces the use at \p Name by the body of \p D.
static bool replace(Tokens &Text, size_t Name, const Definition &D) {
  if (Text[Name].Text != D.Name)
    return false;
  size_t End = Name + 1;
  std::vector<Tokens> Arguments;
  if (D.FunctionLike) {
    auto Found = argumentsAt(Text, Name, End);
    if (!Found)
      return false;
    Arguments = std::move(*Found);
    if (D.Params.empty() ? Arguments.size() != 1 || !Arguments[0].empty()
                         : Arguments.size() != D.Params.size())
      return false;
  }
  Tokens Out;
  std::vector<FilePlace> Uses = Text[Name].Uses;
  Uses.push_back(Text[Name].At);
  for (const MacroToken &B : D.Body) {
    auto P = std::find(D.Params.begin(), D.Params.end(), B.Text);
    if (P == D.Params.end()) {
      Out.push_back(B);
      Out.back().Uses = Uses;
      continue;
    }
    size_t First = Out.size();
    const Tokens &A = Arguments[P - D.Params.begin()];
    Out.insert(Out.end(), A.begin(), A.end());
    if (First < Out.size())
      Out[First].Space = B.Space;
  }
  if (!Out.empty())
    Out[0].Space = Text[Name].Space;
  Text.erase(Text.begin() + Name, Text.begin() + End);
  Text.insert(Text.begin() + Name, Out.begin(), Out.end());
  return true;
}

std::string MacroText::str() const {
  std::string Out;
  const MacroToken *Last = nullptr;
  for (const MacroToken &T : Tokens) {
    const std::string Text = T.Before + T.Text + T.After;
    if (Text.empty()) // removed
      continue;
    // Separate tokens must not merge into one.
    bool Apart = !Last || Last->At.first != T.At.first ||
                 Last->At.second + Last->Text.size() != T.At.second;
    bool Words = !Out.empty() && isAsciiIdentifierContinue(Out.back()) &&
                 isAsciiIdentifierContinue(Text[0]);
    bool Signs = !Out.empty() && Apart &&
                 StringRef("+-*/%<>=!&|^:.#").contains(Out.back()) &&
                 StringRef("+-*/%<>=!&|^:.#").contains(Text[0]);
    if (!Out.empty() && (T.Space || Words || Signs))
      Out += ' ';
    Out += Text;
    Last = &T;
  }
  return Out;
}

std::optional<MacroPath> pathOf(Unit &U, SourceLocation Loc) {
  std::vector<FilePlace> Inwards;
  while (Loc.isMacroID()) {
    SourceLocation Spelled = U.SM.getImmediateSpellingLoc(Loc);
    if (U.SM.isMacroArgExpansion(Loc)) {
      Loc = Spelled;
      continue;
    }
    if (Spelled.isMacroID())
      return std::nullopt;
    Inwards.push_back(U.SM.getDecomposedLoc(Spelled));
    Loc = U.SM.getImmediateExpansionRange(Loc).getBegin();
  }
  if (U.Quoted.count(Loc))
    return std::nullopt;
  return MacroPath{U.SM.getDecomposedLoc(Loc),
                   {Inwards.rbegin(), Inwards.rend()}};
}

bool MacroText::start(const MacroPath &Path) {
  std::tie(File, Offset) = Path.Use;
  TokenTable &T = U.table(File);
  size_t Name = T.at(Offset);
  if (Name == TokenTable::None || T[Name].InDirective)
    return false;
  auto Outer =
      definitionAt(U, Path.Steps.front().first, Path.Steps.front().second);
  if (!Outer)
    return false;
  // The whole use.
  size_t End = Name + 1;
  if (Outer->FunctionLike) {
    unsigned Depth = 0;
    for (; End < T.size(); ++End) {
      if (T[End].InDirective)
        return false;
      Depth += T[End].Kind == tok::l_paren;
      if (T[End].Kind == tok::r_paren && --Depth == 0)
        break;
    }
    if (End++ >= T.size())
      return false;
  }
  Length = T[End - 1].end() - Offset;
  if (T.buffer().substr(Offset, Length).find_first_of("\n\r") !=
      StringRef::npos)
    return false; // would change the line numbers below
  for (size_t I = Name; I < End; ++I)
    Tokens.push_back(
        {T.text(I).str(), I > Name && spaced(T, I), {File, T[I].Offset}, {}});
  AfterUse = End;
  return true;
}

std::optional<size_t>
MacroText::find(FilePlace At, const std::vector<FilePlace> &Uses) const {
  std::optional<size_t> Found;
  for (size_t I = 0; I < Tokens.size(); ++I)
    if (Tokens[I].At == At && Tokens[I].Uses == Uses) {
      if (Found)
        return std::nullopt;
      Found = I;
    }
  return Found;
}

bool MacroText::expand(const MacroPath &Path) {
  FilePlace At = Path.Use;
  std::vector<FilePlace> Uses;
  for (const FilePlace &Next : Path.Steps) {
    // A use that is not found has been expanded already for another token.
    if (std::optional<size_t> Use = find(At, Uses)) {
      auto D = definitionAt(U, Next.first, Next.second);
      if (!D || !replace(Tokens, *Use, *D))
        return false;
      Expanded.insert(D->Name);
    }
    Uses.push_back(At);
    At = Next;
  }
  return find(At, Uses).has_value();
}

std::optional<size_t> MacroText::find(const MacroPath &Path) const {
  if (Path.Steps.empty())
    return find(Path.Use, {});
  std::vector<FilePlace> Uses{Path.Use};
  Uses.insert(Uses.end(), Path.Steps.begin(), Path.Steps.end() - 1);
  return find(Path.Steps.back(), Uses);
}

bool MacroText::namesItself() const {
  return std::any_of(Tokens.begin(), Tokens.end(), [&](const MacroToken &X) {
    return !X.Uses.empty() && Expanded.count(X.Text);
  });
}

} // namespace evenkeel
