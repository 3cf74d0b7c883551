//===- FunctionSites.cpp - sites by function and line within it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FunctionSites.h.
//===----------------------------------------------------------------------===//
#include "FunctionSites.h"
#include "format/Identity.h"
#include <cstdlib>
#include <cxxabi.h>

using namespace evenkeel;
using namespace evenkeel::memprof;

static constexpr long Offsets = 1l << 16; // a frame's line is modulo that

/// The name of a function without what it is in, its template arguments and its
/// parameters, as the analysis has it: "fill" for "_Z4fillIiEvT_".
static std::string plainName(const std::string &Symbol) {
  int Status = 0;
  char *Text = abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status);
  if (!Text)
    return Symbol;
  const std::string Name = Text;
  std::free(Text);
  if (Name.find("operator()") != std::string::npos)
    return "operator()";
  size_t Start = 0, End = std::string::npos;
  int Depth = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    const char C = Name[I];
    if (C == '<' || C == '(' || C == '{') {
      if (Depth == 0 && C == '(' && I > Start) // parameters
        return Name.substr(Start, std::min(End, I) - Start);
      if (Depth++ == 0 && C == '<')
        End = I;
    } else if (C == '>' || C == ')' || C == '}') {
      --Depth;
    } else if (Depth == 0 && (C == ':' || C == ' ')) {
      Start = I + 1;
      End = std::string::npos;
    }
  }
  return Name.substr(Start, End == std::string::npos ? End : End - Start);
}

FunctionSites::FunctionSites(const Facts &F) {
  for (const SiteFact &S : F.Sites) {
    if (S.isLive())
      Of[S.Function].push_back(&S);
    ++At[S.At];
  }
}

/// Whether the id of \p S results from the place of \p F in its function.
bool FunctionSites::isAt(const SiteFact &S, const Frame &F) const {
  const auto [Path, Line, Column] = coordinateOf(S.At);
  if (Column != F.Column)
    return false;
  EntityKey K{"site", Path, S.Function, 0, static_cast<unsigned>(Column), 0};
  // From a line above the function's name (a macro of another place) on.
  for (long Offset = long(F.LineOffset) - Offsets; Offset < long(Line);
       Offset += Offsets) {
    K.LineOffset = static_cast<int>(Offset);
    for (K.Ordinal = 0; K.Ordinal < At.at(S.At); ++K.Ordinal)
      if (entityId(K) == S.Id)
        return true;
  }
  return false;
}

const SiteFact *FunctionSites::find(const std::vector<Frame> &Stack,
                                    const char *&Why) const {
  for (const Frame &F : Stack) {
    const auto Its = Of.find(plainName(F.Function));
    if (Its == Of.end())
      continue;
    const SiteFact *Found = nullptr;
    for (const SiteFact *S : Its->second) {
      if (!isAt(*S, F))
        continue;
      if (Found) {
        Why = "several-namesakes";
        return nullptr;
      }
      Found = S;
    }
    if (Found)
      return Found;
  }
  Why = "site-without-facts";
  return nullptr;
}
