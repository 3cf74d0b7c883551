//===- FunctionSites.cpp - sites by function and line within it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FunctionSites.h.
//===----------------------------------------------------------------------===//
#include "FunctionSites.h"
#include <cstdlib>
#include <cxxabi.h>
#include <set>

using namespace evenkeel;
using namespace evenkeel::memprof;

static constexpr unsigned long Offsets = 1ul << 16; // a frame's line is modulo

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

FunctionSites::FunctionSites(const Facts &F,
                             const std::vector<Blocks> &Profile) {
  struct Seen {
    std::set<std::pair<unsigned long, unsigned long>> Frames; // offset, column
    std::vector<const SiteFact *> Sites;
  };
  std::map<std::string, Seen> Functions;
  for (const Blocks &B : Profile)
    for (const Frame &Of : B.Stack)
      Functions[Of.Function].Frames.insert({Of.LineOffset, Of.Column});
  std::map<std::string, std::vector<const SiteFact *>> Of; // by plain name
  for (const SiteFact &S : F.Sites)
    if (S.isLive())
      Of[S.Function].push_back(&S);
  for (auto &[Name, Its] : Functions)
    if (const auto It = Of.find(plainName(Name)); It != Of.end())
      Its.Sites = It->second;
  for (const auto &[Name, Its] : Functions) {
    // By file and first line: the sites that frames are.
    std::map<std::pair<std::string, unsigned long>,
             std::map<Place, const SiteFact *>>
        Starts;
    for (const SiteFact *S : Its.Sites) {
      const auto [Path, Line, Column] = coordinateOf(S->At);
      for (const auto &[Offset, At] : Its.Frames)
        if (At == Column && Line >= Offset) {
          auto &There = Starts[{Path, (Line - Offset) % Offsets}];
          auto [It, New] = There.emplace(Place(Name, Offset, Column), S);
          if (!New)
            It->second = nullptr;
        }
    }
    size_t Most = 0, Times = 0; // that many frames, at so many first lines
    const std::map<Place, const SiteFact *> *Best = nullptr;
    const std::string *File = nullptr; // of the best
    for (const auto &[Start, Found] : Starts) {
      if (Found.size() > Most) {
        Best = &Found;
        File = &Start.first;
        Most = Found.size();
        Times = 0;
      }
      Times += Found.size() == Most;
    }
    if (!Best)
      continue;
    // A namesake in another file may have allocated there as well.
    const auto Elsewhere = [&](const Place &Where) {
      for (const auto &[Start, Found] : Starts)
        if (Start.first != *File && Found.count(Where))
          return true;
      return false;
    };
    for (const auto &[Where, S] : *Best)
      At[Where] = Times > 1 || Elsewhere(Where) ? nullptr : S;
  }
}

const SiteFact *FunctionSites::find(const std::vector<Frame> &Stack,
                                    const char *&Why) const {
  for (const Frame &F : Stack) {
    const auto It = At.find({F.Function, F.LineOffset, F.Column});
    if (It == At.end())
      continue;
    Why = "several-first-lines";
    return It->second;
  }
  Why = "site-without-facts";
  return nullptr;
}
