//===- ecohmem_target.cpp - files of ecoHMEM and FlexMalloc ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what was accepted, written out again, is accepted again; figures are
// within their limits; whatever the advisor and the import get ends with one
// line or with a result that holds each object once.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "advisor/Advisor.h"
#include "format/ecohmem/Locations.h"
#include "format/ecohmem/StackLog.h"
#include "format/ecohmem/Trace.h"
#include <cmath>
#include <set>

using namespace evenkeel;
using namespace evenkeel::ecohmem;
using namespace ekfuzz;

template <typename T> static bool accepted(const Expected<T> &E) {
  if (!E)
    checkError(E.message());
  return bool(E);
}

bool ekfuzz::runParamedir(const std::string &Input) {
  Expected<Histogram> H = parseHistogram(Input, "in");
  if (!accepted(H))
    return false;
  EK_HOLDS(H->Stacks.size() == H->Cells.size(), "figures and objects differ");
  std::vector<uint64_t> Figures(H->Stacks.size(), 7);
  for (std::string &S : H->Stacks)
    S = "x"; // any text would do, but for brackets
  Expected<Histogram> Again =
      parseHistogram(histogramText(H->Stacks, Figures), "out");
  EK_HOLDS(Again && Again->Stacks == H->Stacks, "differs when written again");
  return true;
}

bool ekfuzz::runAllocsInfo(const std::string &Input) {
  Expected<AllocsInfo> A = parseAllocsInfo(Input, "in");
  if (!accepted(A))
    return false;
  for (const Allocation &X : A->Allocations)
    for (int64_t V : {X.App, X.Process, X.Function, X.AllocTime, X.FreeTime,
                      X.Bytes, X.Object})
      EK_HOLDS(std::fabs(double(V)) <= 0x1p53, "a figure beyond 2^53");
  Expected<AllocsInfo> Again =
      parseAllocsInfo(allocsInfoText({"a"}, A->Allocations, 1), "out");
  EK_HOLDS(Again && Again->Allocations.size() == A->Allocations.size() &&
               Again->Objects.size() == 1,
           "differs when written again");
  return true;
}

bool ekfuzz::runMemoryConfig(const std::string &Input) {
  Expected<std::vector<MemoryTier>> T = parseMemoryConfig(Input, "in");
  if (!accepted(T))
    return false;
  EK_HOLDS(!T->empty(), "no tier");
  Expected<std::vector<MemoryTier>> Again =
      parseMemoryConfig(memoryConfigText(*T), "out");
  EK_HOLDS(Again && Again->size() == T->size(), "differs when written again");
  for (size_t I = 0; I < T->size(); ++I)
    EK_HOLDS((*Again)[I].Bytes == (*T)[I].Bytes &&
                 (*Again)[I].LoadWeight == (*T)[I].LoadWeight &&
                 (*Again)[I].Name == (*T)[I].Name,
             "a tier differs when written again");
  return true;
}

/// Facts with a site in line 3 of a.c, which has a wrapper call in line 9.
static Facts someFacts() {
  Facts F;
  SiteFact S;
  S.Id = 0x11;
  S.Kind = "malloc";
  S.At = "a.c:3:7";
  S.Contexts.push_back({0x22, {"b.c:9:1"}, nullptr});
  F.Sites.push_back(S);
  return F;
}

bool ekfuzz::runLocations(const std::string &Input) {
  Expected<Locations> L = parseLocations(Input, "in");
  if (!accepted(L))
    return false;
  bool Addresses = false, Lines = false;
  for (const Location &X : L->List) {
    EK_HOLDS(X.Tier < L->Tiers.size() && !X.Stack.empty() &&
                 !X.Allocator.empty(),
             "a location without a tier");
    Addresses |= X.Stack.find('!') != std::string::npos;
    Lines |= X.Stack.find(':') != std::string::npos;
  }
  EK_HOLDS(!Addresses || !Lines, "both kinds of frames");
  Expected<LocatedPlan> P = planOfLocations(*L, someFacts());
  if (accepted(P))
    EK_HOLDS(!planToJson(P->Made).empty() && P->Fast <= P->Made.Objects.size(),
             "a plan with more fast objects than objects");
  return true;
}

bool ekfuzz::runStackLog(const std::string &Input) {
  Expected<std::vector<LoggedStack>> S = parseStackLog(Input, "in");
  if (!accepted(S))
    return false;
  std::set<std::string> Seen;
  for (const LoggedStack &X : *S)
    EK_HOLDS(X.Site && Seen.insert(X.Stack).second, "a stack twice");
  Plan P;
  PlanObject O;
  O.Site = (*S)[0].Site;
  O.Share = 0.5;
  P.Objects.push_back(O);
  P.FastBytes = 1 << 20;
  Expected<FlexMallocFiles> Made =
      filesOf(P, *S, {"posix", "memkind/pmem", {"/mnt"}});
  if (!accepted(Made))
    return true;
  Expected<Locations> L = parseLocations(Made->Locations, "out");
  EK_HOLDS(L && L->List.size() == size_t(Made->Fast) + Made->Slow,
           "another number of locations when read again");
  return true;
}

/// Tiers, loads, sizes, stores and allocations, between lines of "====".
bool ekfuzz::runAdvisor(const std::string &Input) {
  static const std::string Border = "====\n";
  std::vector<std::string> Parts;
  for (size_t From = 0; Parts.size() < 5;) {
    size_t To = Input.find(Border, From);
    Parts.push_back(
        Input.substr(From, To == std::string::npos ? To : To - From));
    if (To == std::string::npos)
      break;
    From = To + Border.size();
  }
  Parts.resize(5);
  Expected<std::vector<MemoryTier>> Tiers = parseMemoryConfig(Parts[0], "t");
  Expected<Histogram> Loads = parseHistogram(Parts[1], "l");
  Expected<Histogram> Sizes = parseHistogram(Parts[2], "s");
  if (!accepted(Tiers) || !accepted(Loads) || !accepted(Sizes))
    return false;
  Expected<Histogram> Stores = parseHistogram(Parts[3], "w");
  Expected<AllocsInfo> Allocs = parseAllocsInfo(Parts[4], "a");
  advisor::Options O;
  advisor::Distribution D;
  Expected<std::vector<advisor::Tier>> T = advisor::tiersOf(*Tiers, O);
  if (!accepted(T))
    return false;
  D.Tiers = *T;
  MaybeError E = advisor::readObjects(
      *Loads, *Sizes, Stores ? &*Stores : nullptr, O.PageBytes, D);
  if (!E)
    E = advisor::advise(O, Allocs ? &*Allocs : nullptr, D);
  if (E)
    checkError(E->Message);
  for (size_t I = 0; !E && I < D.InTier.size(); ++I)
    for (uint32_t X : D.InTier[I])
      EK_HOLDS(X < D.Objects.size(), "no such object");
  if (!E)
    for (auto As : {advisor::Form::Locations, advisor::Form::Verbose})
      accepted(advisor::resultText(D, As, bool(Stores)));

  Trace In;
  In.Loads = *Loads;
  In.Sizes = *Sizes;
  if (Stores)
    In.Stores = *Stores;
  if (Allocs)
    In.Allocs = *Allocs;
  TraceOptions How;
  How.Period = 1000;
  How.LatencyNs = 100;
  How.Seconds = 10;
  if (Expected<TracedRun> R = readTrace(In, How); accepted(R))
    EK_HOLDS(R->Record.Instances.size() == R->Objects &&
                 R->Record.Tasks.size() == R->Processes && R->Objects,
             "objects or tasks are missing");
  return !E;
}
