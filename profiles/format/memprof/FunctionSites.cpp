//===- FunctionSites.cpp - sites by function and line within it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FunctionSites.h.
//===----------------------------------------------------------------------===//
#include "FunctionSites.h"
#include <set>

using namespace evenkeel;
using namespace evenkeel::memprof;

static constexpr unsigned long Offsets = 1ul << 16; // a frame's line is modulo

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
  for (const SiteFact &S : F.Sites)
    if (S.isLive())
      if (auto It = Functions.find(S.Function); It != Functions.end())
        It->second.Sites.push_back(&S);
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
    for (const auto &[Start, Found] : Starts) {
      if (Found.size() > Most) {
        Best = &Found;
        Most = Found.size();
        Times = 0;
      }
      Times += Found.size() == Most;
    }
    if (!Best)
      continue;
    for (const auto &[Where, S] : *Best)
      At[Where] = Times > 1 ? nullptr : S;
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
