//===- Names.cpp - names of places in kept sources ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Names.h.
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "edits/TokenTable.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;
using Group = Finding::Group;

//===--- Names in a text --------------------------------------------------===//

/// The arguments of the call whose parenthesis is token \p I.
static std::vector<std::string> argumentsAt(const TokenTable &T, size_t I) {
  std::vector<std::string> Out;
  unsigned Depth = 0, Begin = T[I].end();
  for (; I < T.size(); ++I) {
    Depth += T[I].Kind == tok::l_paren || T[I].Kind == tok::l_square;
    const bool Closes = T[I].Kind == tok::r_paren || T[I].Kind == tok::r_square;
    if ((T[I].Kind == tok::comma && Depth == 1) || (Closes && Depth == 1)) {
      Out.push_back(T.buffer().slice(Begin, T[I].Offset).trim().str());
      Begin = T[I].end();
    }
    Depth -= Closes;
    if (Depth == 0)
      break;
  }
  return Out;
}

UsedNames namesIn(StringRef Text) {
  UsedNames Out;
  clang::LangOptions LO;
  LO.CPlusPlus = LO.CPlusPlus11 = LO.LineComment = true;
  const TokenTable T(Text, LO);
  for (size_t I = 0; I < T.size(); ++I) {
    if (T[I].Kind != tok::raw_identifier)
      continue;
    const StringRef Word = T.text(I);
    if (isHeaderWord(Word))
      Out.Words.insert(Word.str());
    if (!Word.starts_with("EK_") || I + 2 >= T.size() ||
        T[I + 1].Kind != tok::l_paren || T[I + 2].Kind != tok::raw_identifier)
      continue;
    const std::string Name = T.text(I + 2).str();
    if (Word == "EK_SITE" || Word == "EK_NEW" || Word == "EK_NEW_WITH" ||
        Word == "EK_AT")
      Out.Places.insert({"EK_SITE", Name});
    else if (Word == "EK_CALL" || Word.starts_with("EK_CALLED"))
      Out.Places.insert({"EK_CALL", Name});
    else if (Word == "EK_SYNC" || Word == "EK_REGION")
      Out.Places.insert({Word.str(), Name});
    else if (Word == "EK_REGION_VALUES") {
      std::vector<std::string> Arguments = argumentsAt(T, I + 1);
      Arguments.erase(Arguments.begin());
      Out.Handed[Name] = std::move(Arguments);
    }
  }
  return Out;
}

//===--- New names --------------------------------------------------------===//

/// \p Text as part of an identifier: `operator()` is `operator_call`.
static std::string asIdentifier(StringRef Text) {
  if (Text == "operator()")
    return "operator_call";
  std::string Out;
  for (char C : Text)
    if (llvm::isAlnum(C))
      Out += C;
    else if (!Out.empty() && Out.back() != '_')
      Out += '_';
  while (!Out.empty() && Out.back() == '_')
    Out.pop_back();
  return Out;
}

/// The last component of `a::b`, and no template arguments.
static StringRef lastOf(StringRef Name) {
  const size_t I = Name.rfind("::");
  return I == StringRef::npos ? Name : Name.drop_front(I + 2);
}

static std::string wantedName(const Finding &F) {
  StringRef What = F.Form;
  StringRef Global = F.Key.Kind;
  if (Global.consume_front("global:"))
    What = Global;
  else if ((F.Class == Group::Site || F.Class == Group::Call) &&
           !F.Variable.empty())
    What = F.Variable;
  std::string Name = asIdentifier(lastOf(What));
  if (Name.empty())
    Name = "data";
  if (F.Key.Function == "file") // a variable of the file, or included text
    return Name;
  return asIdentifier(F.Key.Function) + "_" + Name;
}

static bool needsName(const Finding &F) {
  return std::any_of(F.Edits.begin(), F.Edits.end(), [](const TextEdit &E) {
    return E.Text.find(NamePlace) != std::string::npos;
  });
}

void nameFindings(std::vector<Finding> &Findings,
                  const std::set<PlaceName> &Taken) {
  std::set<PlaceName> Used = Taken;
  // The region and the sync point of one directive have one name.
  std::map<std::pair<std::string, unsigned>, std::string> OfDirective;
  for (Finding &F : Findings) {
    if (!needsName(F))
      continue;
    const std::string Macro = nameMacro(F.Class);
    const bool Directive = F.Class == Group::Region || F.Class == Group::Sync;
    std::string &Shared = OfDirective[{F.File, F.Offset}];
    if (Directive && !Shared.empty() && Used.insert({Macro, Shared}).second) {
      F.Tag = Shared;
      continue;
    }
    const std::string Wanted = wantedName(F);
    std::string Name = Wanted;
    auto IsTaken = [&] {
      return Used.count({Macro, Name}) ||
             (Directive && (Used.count({"EK_REGION", Name}) ||
                            Used.count({"EK_SYNC", Name})));
    };
    for (unsigned I = 2; IsTaken(); ++I)
      Name = Wanted + "_" + std::to_string(I);
    Used.insert({Macro, Name});
    F.Tag = Name;
    if (Directive)
      Shared = Name;
  }
}

} // namespace evenkeel
