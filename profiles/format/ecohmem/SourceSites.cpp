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

/// The base name and the line of "src/alloc.c:12"; line 0: it has none.
static std::pair<std::string, unsigned long> placeOf(const std::string &Frame) {
  const size_t Colon = Frame.rfind(':');
  if (Colon == std::string::npos)
    return {Frame, 0};
  const std::optional<int64_t> Line = readInteger(Frame.substr(Colon + 1));
  return {baseName(Frame.substr(0, Colon)),
          static_cast<unsigned long>(std::max<int64_t>(0, Line.value_or(0)))};
}

SourceSites::SourceSites(const Facts &F) {
  for (const SiteFact &S : F.Sites) {
    const auto [Path, Line, Column] = coordinateOf(S.At);
    if (S.isLive() && Line)
      At[{baseName(Path), Line}].push_back(&S);
  }
}

const SiteFact *SourceSites::find(const std::string &Stack,
                                  const char *&Why) const {
  bool Places = false; // some frame is one
  for (const std::string &Frame : framesOf(Stack)) {
    Places |= Frame.find('!') == std::string::npos;
    auto It = At.find(placeOf(Frame));
    if (It == At.end())
      continue;
    if (It->second.size() == 1)
      return It->second[0];
    Why = "several-on-a-line";
    return nullptr;
  }
  Why = Places ? "site-without-facts" : "stack-of-addresses";
  return nullptr;
}

/// Whether \p Frame is the line of the coordinate \p At.
static bool isAt(const std::string &Frame, const std::string &At) {
  const auto [Path, Line, Column] = coordinateOf(At);
  return Line && placeOf(Frame) == std::pair(baseName(Path), Line);
}

const SiteFact::Caller *SourceSites::callerOf(const SiteFact &Site,
                                              const std::string &Stack) {
  const std::vector<std::string> Frames = framesOf(Stack);
  size_t First = 0;
  while (First < Frames.size() && !isAt(Frames[First], Site.At))
    ++First;
  const SiteFact::Caller *Best = nullptr;
  for (const SiteFact::Caller &C : Site.Contexts) {
    size_t N = 0;
    while (N < C.Calls.size() && First + 1 + N < Frames.size() &&
           isAt(Frames[First + 1 + N], C.Calls[N]))
      ++N;
    if (N && N == C.Calls.size() && (!Best || N > Best->Calls.size()))
      Best = &C;
  }
  return Best;
}
