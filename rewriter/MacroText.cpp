//===- MacroText.cpp - what a macro's use stands for, as text -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "MacroText.h"
#include "clang/Basic/CharInfo.h"
#include <optional>
#include <set>

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

/// Whether token \p I lives in every configuration: outside of conditionals,
/// but for one around the whole file.
static bool unconditional(const TokenTable &T, size_t I) {
  if (T[I].Arm == 0)
    return true;
  size_t Last = T.size() - 1;
  return T[I].Arm == 1 && T[0].InDirective && T.size() > 1 &&
         T.text(1) == "ifndef" && T[Last].InDirective && T[Last].Arm == 1;
}

/// The directive that defines the macro whose body has the token at \p Offset.
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
  // The body that was used is the one found here; others matter only where the
  // text has to hold in their configurations as well.
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
    // At the start of a line the token has the splice in front of it.
    StringRef Text = T.text(B);
    while (Text.consume_front("\\\n") || Text.consume_front("\\\r\n"))
      ;
    if (T[B].Kind == tok::hash || T[B].Kind == tok::hashhash ||
        Text.contains('\n'))
      return std::nullopt;
    D.Body.push_back({Text.str(),
                      spaced(T, B) || Text.size() != T.text(B).size(), FID,
                      T[B].Offset});
  }
  if (!D.Body.empty())
    D.Body[0].Space = false;
  return D;
}

/// The tokens of each argument of the use at \p Name; \p End is behind it.
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

/// Replaces the use at \p Name by what \p D says.
static bool expand(Tokens &Text, size_t Name, const Definition &D) {
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
  for (const MacroToken &B : D.Body) {
    auto P = std::find(D.Params.begin(), D.Params.end(), B.Text);
    if (P == D.Params.end()) {
      Out.push_back(B);
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
    if (T.Text.empty()) // taken out
      continue;
    // Tokens that stood apart must not run together.
    bool Apart = !Last || Last->File != T.File ||
                 Last->Offset + Last->Text.size() != T.Offset;
    bool Words = !Out.empty() && isAsciiIdentifierContinue(Out.back()) &&
                 isAsciiIdentifierContinue(T.Text[0]);
    bool Signs = !Out.empty() && Apart &&
                 StringRef("+-*/%<>=!&|^:.#").contains(Out.back()) &&
                 StringRef("+-*/%<>=!&|^:.#").contains(T.Text[0]);
    if (!Out.empty() && (T.Space || Words || Signs))
      Out += ' ';
    Out += T.Text;
    Last = &T;
  }
  return Out;
}

/// Whether \p X comes from a macro's body, not from where it is used.
static bool isOfDefinition(Unit &U, const MacroToken &X) {
  TokenTable &T = U.table(X.File);
  const size_t I = T.at(X.Offset);
  return I != TokenTable::None && T[I].InDirective;
}

std::optional<MacroText> textOfMacro(Unit &U, SourceLocation Loc) {
  // The token in the innermost definition, then the uses around it.
  std::vector<std::pair<FileID, unsigned>> Places;
  while (Loc.isMacroID()) {
    SourceLocation Spelled = U.SM.getImmediateSpellingLoc(Loc);
    if (U.SM.isMacroArgExpansion(Loc)) {
      Loc = Spelled;
      continue;
    }
    if (Spelled.isMacroID())
      return std::nullopt;
    Places.push_back(U.SM.getDecomposedLoc(Spelled));
    Loc = U.SM.getImmediateExpansionRange(Loc).getBegin();
  }
  if (Places.empty() || U.Quoted.count(Loc))
    return std::nullopt;
  MacroText M;
  std::tie(M.File, M.Offset) = U.SM.getDecomposedLoc(Loc);
  TokenTable &T = U.table(M.File);
  size_t Name = T.at(M.Offset);
  if (Name == TokenTable::None || T[Name].InDirective)
    return std::nullopt;
  auto Outer = definitionAt(U, Places.back().first, Places.back().second);
  if (!Outer)
    return std::nullopt;
  // The use, as far as it goes.
  size_t End = Name + 1;
  if (Outer->FunctionLike) {
    unsigned Depth = 0;
    for (; End < T.size(); ++End) {
      if (T[End].InDirective)
        return std::nullopt;
      Depth += T[End].Kind == tok::l_paren;
      if (T[End].Kind == tok::r_paren && --Depth == 0)
        break;
    }
    if (End++ >= T.size())
      return std::nullopt;
  }
  M.Length = T[End - 1].end() - M.Offset;
  if (T.buffer().substr(M.Offset, M.Length).find_first_of("\n\r") !=
      StringRef::npos)
    return std::nullopt; // would renumber the lines below
  for (size_t I = Name; I < End; ++I)
    M.Tokens.push_back(
        {T.text(I).str(), I > Name && spaced(T, I), M.File, T[I].Offset});
  std::pair<FileID, unsigned> At{M.File, M.Offset};
  std::set<std::string> Expanded;
  for (size_t I = Places.size(); I-- > 0;) {
    auto D = definitionAt(U, Places[I].first, Places[I].second);
    auto Use = std::find_if(
        M.Tokens.begin(), M.Tokens.end(), [&](const MacroToken &X) {
          return X.File == At.first && X.Offset == At.second;
        });
    if (!D || Use == M.Tokens.end() ||
        !expand(M.Tokens, Use - M.Tokens.begin(), *D))
      return std::nullopt;
    At = Places[I];
    Expanded.insert(D->Name);
  }
  size_t Count = 0;
  for (size_t I = 0; I < M.Tokens.size(); ++I)
    if (M.Tokens[I].File == At.first && M.Tokens[I].Offset == At.second) {
      M.Wanted = I;
      ++Count;
    }
  if (Count != 1)
    return std::nullopt;
  // In its own body a macro's name is no use of it; written out, it would be,
  // so there the caller may have one name only: the one that it changes.
  for (const MacroToken &X : M.Tokens)
    if (Expanded.count(X.Text) && X.Text != M.Tokens[M.Wanted].Text &&
        isOfDefinition(U, X))
      return std::nullopt;
  return M;
}

} // namespace evenkeel
