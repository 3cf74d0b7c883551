//===- SourceSites.cpp - the site at the end of a call stack --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SourceSites.h.
//===----------------------------------------------------------------------===//
#include "SourceSites.h"
#include "FrameLines.h"
#include "Numbers.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

std::vector<std::string> ecohmem::framesOf(const std::string &Stack) {
  std::vector<std::string> Out;
  for (size_t From = 0; From <= Stack.size();) {
    size_t To = Stack.find('>', From);
    if (To == std::string::npos)
      To = Stack.size();
    size_t First = Stack.find_first_not_of(' ', From);
    size_t Last = To;
    while (Last > From && Stack[Last - 1] == ' ')
      --Last;
    if (First < Last)
      Out.push_back(Stack.substr(First, Last - First));
    From = To + 1;
  }
  return Out;
}

std::string ecohmem::inLines(const std::string &Stack,
                             const FrameLines &Lines) {
  if (Lines.empty())
    return Stack;
  std::string Out;
  for (const std::string &Frame : framesOf(Stack)) {
    const auto It = Lines.find(Frame);
    Out +=
        (Out.empty() ? "" : " > ") + (It == Lines.end() ? Frame : It->second);
  }
  return Out;
}

static std::string baseName(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

namespace {
struct Place {
  std::string Name; // of the file, without folders
  unsigned long Line = 0, Column = 0;

  bool isOnLine(const Place &P) const {
    return Line && Line == P.Line && Name == P.Name;
  }
};
} // namespace

/// Takes ":12" from the end of \p Text; 0: there is no number.
static unsigned long takeNumber(std::string &Text) {
  const size_t Colon = Text.rfind(':');
  if (Colon == std::string::npos)
    return 0;
  const std::optional<int64_t> N = readInteger(Text.substr(Colon + 1));
  if (!N || *N <= 0)
    return 0;
  Text.resize(Colon);
  return static_cast<unsigned long>(*N);
}

/// The place of "src/alloc.c:12" or "src/alloc.c:12:7"; line 0: it has none.
static Place placeOf(std::string Frame) {
  Place P;
  P.Line = takeNumber(Frame);
  if (const unsigned long Before = takeNumber(Frame)) {
    P.Column = P.Line;
    P.Line = Before;
  }
  P.Name = baseName(Frame);
  return P;
}

static Place placeAt(const std::string &At) {
  const auto [Path, Line, Column] = coordinateOf(At);
  return {baseName(Path), Line, Column};
}

SourceSites::SourceSites(const Facts &F) {
  for (const SiteFact &S : F.Sites)
    if (const Place P = placeAt(S.At); S.isLive() && P.Line)
      At[{P.Name, P.Line}].push_back(&S);
}

std::vector<const SiteFact *> SourceSites::findAll(const std::string &Stack,
                                                   const char *&Why) const {
  bool Places = false; // some frame is one
  for (const std::string &Frame : framesOf(Stack)) {
    Places |= Frame.find('!') == std::string::npos;
    const Place P = placeOf(Frame);
    auto It = At.find({P.Name, P.Line});
    if (It == At.end())
      continue;
    std::vector<const SiteFact *> There;
    for (const SiteFact *S : It->second)
      if (placeAt(S->At).Column == P.Column)
        There.push_back(S);
    return There.empty() ? It->second : There;
  }
  Why = Places ? "site-without-facts" : "stack-of-addresses";
  return {};
}

const SiteFact *SourceSites::find(const std::string &Stack,
                                  const char *&Why) const {
  const std::vector<const SiteFact *> All = findAll(Stack, Why);
  if (All.size() > 1)
    Why = "several-on-a-line";
  return All.size() == 1 ? All[0] : nullptr;
}

std::vector<const SiteFact::Caller *>
SourceSites::callersOf(const SiteFact &Site, const std::string &Stack) {
  std::vector<Place> Frames;
  for (const std::string &Frame : framesOf(Stack))
    Frames.push_back(placeOf(Frame));
  size_t First = 0;
  while (First < Frames.size() && !Frames[First].isOnLine(placeAt(Site.At)))
    ++First;
  std::pair<bool, size_t> Most; // columns are the same, too; calls
  std::vector<const SiteFact::Caller *> Best;
  for (const SiteFact::Caller &C : Site.Contexts) {
    size_t N = 0;
    bool Columns = true;
    for (; N < C.Calls.size() && First + 1 + N < Frames.size(); ++N) {
      const Place Call = placeAt(C.Calls[N]), &Frame = Frames[First + 1 + N];
      if (!Frame.isOnLine(Call))
        break;
      Columns &= Frame.Column == Call.Column;
    }
    const std::pair<bool, size_t> Its(Columns, N);
    if (!N || N != C.Calls.size() || Its < Most)
      continue;
    if (Most < Its)
      Best.clear();
    Most = Its;
    Best.push_back(&C);
  }
  return Best;
}
