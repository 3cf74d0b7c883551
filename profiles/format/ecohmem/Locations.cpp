//===- Locations.cpp - FlexMalloc's locations -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Locations.h.
//===----------------------------------------------------------------------===//
#include "Locations.h"
#include "Numbers.h"
#include "SourceSites.h"
#include "Trace.h"
#include "format/File.h"

using namespace evenkeel;
using namespace evenkeel::ecohmem;

static const char *const TierStart = "# Memory configuration for ";
static const char *const SizeStart = " with size ";

/// Takes a line that begins with "#".
static void readComment(const std::string &Line, Locations &L) {
  if (Line.compare(0, 9, "# Static ") == 0) {
    ++L.Statics;
    return;
  }
  const std::string Start = TierStart;
  if (Line.compare(0, Start.size(), Start) != 0)
    return;
  const size_t Size = Line.find(SizeStart);
  L.Tiers.push_back(Line.substr(
      Start.size(), Size == std::string::npos ? Size : Size - Start.size()));
  if (L.Tiers.size() > 1 || Size == std::string::npos)
    return;
  const std::string Text = Line.substr(Size + std::string(SizeStart).size());
  L.FastBytes = uint64_t(std::max<int64_t>(
      0, wholePart(readFloat(Text.substr(0, Text.find(' ')))).value_or(0)));
}

Expected<Locations> ecohmem::parseLocations(const std::string &Raw,
                                            const std::string &Path) {
  const std::string Text = unixLines(Raw);
  Locations L;
  bool Addresses = false, Lines = false;
  size_t Number = 0;
  for (size_t From = 0; From < Text.size();) {
    const size_t To = std::min(Text.find('\n', From), Text.size());
    const std::string Line = Text.substr(From, To - From);
    From = To + 1;
    auto Wrong = [&, At = ++Number](const std::string &What) {
      return Error{oneLine(Path) + ": line " + std::to_string(At) + ": " +
                   What};
    };
    if (Line.empty())
      continue;
    if (Line[0] == '#') {
      readComment(Line, L);
      continue;
    }
    const size_t At = Line.rfind(" @ ");
    if (At == std::string::npos || At == 0 || At + 3 == Line.size())
      return Wrong("expected FRAME > FRAME @ ALLOCATOR; is the file complete?");
    if (L.Tiers.empty())
      return Wrong("a location before the first tier, so it is not known which "
                   "memory is fast; expected '" +
                   std::string(TierStart) + "...'");
    Location X{Line.substr(0, At), Line.substr(At + 3),
               unsigned(L.Tiers.size()) - 1};
    Addresses |= X.Stack.find('!') != std::string::npos;
    Lines |= X.Stack.find(':') != std::string::npos;
    if (Addresses && Lines)
      return Wrong(
          "frames of both kinds, FILE:LINE and FILE!OFFSET; FlexMalloc "
          "takes one of them in a file");
    L.List.push_back(std::move(X));
  }
  if (L.List.empty() && !L.Statics)
    return Error{oneLine(Path) +
                 ": no locations; expected what hmem_advisor or "
                 "evenkeel advise writes"};
  return L;
}

Expected<Locations> ecohmem::readLocations(const std::string &Path) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseLocations(*Text, Path);
}

Expected<LocatedPlan> ecohmem::planOfLocations(const Locations &L,
                                               const Facts &F,
                                               const FrameLines &Lines) {
  LocatedPlan Out;
  if (L.Statics)
    Out.Left["static-variable"] = L.Statics;
  const SourceSites Sites(F);
  struct Place {
    const SiteFact *Site;
    const SiteFact::Caller *Caller; // null: none
    uint64_t Fast, Slow;
  };
  std::map<std::pair<uint64_t, uint64_t>, Place> Places; // by site and context
  for (const Location &X : L.List) {
    const char *Why = "";
    const std::string Stack = inLines(X.Stack, Lines);
    // Facts that were made of a trace name their sites by stack.
    std::vector<const SiteFact *> Its;
    if (const SiteFact *S = F.site(siteOfStack(X.Stack)))
      Its = {S};
    else // FlexMalloc, too, takes all allocations of a line for one
      Its = Sites.findAll(Stack, Why);
    if (Its.empty())
      ++Out.Left[Why];
    for (const SiteFact *S : Its) {
      std::vector<const SiteFact::Caller *> Callers =
          SourceSites::callersOf(*S, Stack);
      if (Callers.empty())
        Callers = {nullptr};
      for (const SiteFact::Caller *C : Callers) {
        Place &P =
            Places.emplace(std::pair(S->Id, C ? C->Id : 0), Place{S, C, 0, 0})
                .first->second;
        ++(X.Tier == 0 ? P.Fast : P.Slow);
      }
    }
  }
  if (Places.empty())
    return Error{"none of the " + std::to_string(L.List.size()) +
                 " locations has a site in the facts; are they of one "
                 "program?"};
  Plan &P = Out.Made;
  P.Program = programHash(F);
  P.Planner = "hmem-advisor";
  P.Model = "none";
  P.Machine = "none";
  P.FastBytes = L.FastBytes;
  for (const auto &[Id, X] : Places) {
    PlanObject O;
    O.Site = Id.first;
    O.At = X.Site->At;
    if (X.Caller) {
      O.Context = X.Caller->Id;
      O.Calls = X.Caller->Calls;
    }
    O.Share = X.Slow ? 0 : 1;
    O.Ranges = {{0, EK_CHUNKS, O.Share}};
    O.Reason =
        "the advisor's tier " +
        oneLine(L.Tiers[X.Slow ? L.Tiers.size() - 1 : 0]) +
        (X.Slow && X.Fast ? ", because call stacks of it are in several" : "");
    Out.Fast += O.Share > 0;
    P.Objects.push_back(std::move(O));
  }
  return Out;
}
