//===- FromProfile.cpp - a profile as ecoHMEM's advisor takes it ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FromProfile.h.
//===----------------------------------------------------------------------===//
#include "FromProfile.h"
#include "format/Identity.h"
#include <algorithm>
#include <map>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

/// "path:line" of "path:line:column".
static std::string lineOf(const std::string &At) {
  const auto [Path, Line, Column] = coordinateOf(At);
  return Line ? Path + ":" + std::to_string(Line) : At;
}

/// The call stack of an instance, as far as facts know it.
static std::string stackOf(const ek_raw_inst &I, const Facts &F) {
  const SiteFact *S = F.site(I.site);
  if (!S)
    return "site!" + idToString(I.site);
  std::string Out = lineOf(S->At);
  if (S->isStatic()) // ecoHMEM knows variables by a name without ':' and '!'
    return S->Function + " " + Out.substr(0, Out.find(':')) + " " +
           idToString(S->Id);
  for (const SiteFact::Caller &C : S->Contexts)
    if (C.Id == I.context)
      for (const std::string &Call : C.Calls)
        Out += " > " + lineOf(Call);
  return Out;
}

/// The start of each phase and the end of the last, at least 1 ns apart.
static std::vector<int64_t> timesOf(const Profile &P) {
  std::vector<double> Longest(P.Phases.size(), 0);
  const double Ghz = P.Config.ghz > 0 ? P.Config.ghz : 1;
  for (const ek_raw_task &T : P.Tasks) {
    double Ns = T.wall_ns ? double(T.wall_ns) : double(T.core_cycles) / Ghz;
    Longest[T.phase] = std::max(Longest[T.phase], Ns);
  }
  std::vector<int64_t> Out(1, 0);
  for (double Ns : Longest)
    Out.push_back(Out.back() + 1 + int64_t(std::min(Ns, 0x1p40)));
  return Out;
}

/// From 1, as in Extrae's traces.
static int64_t processOf(const Profile &P, uint32_t Creator) {
  auto Next = std::upper_bound(P.Ranks.begin(), P.Ranks.end(), Creator);
  return std::max<int64_t>(1, Next - P.Ranks.begin());
}

/// The highest sum of bytes of allocations that live together.
static uint64_t peakOf(std::vector<std::pair<int64_t, int64_t>> Changes) {
  std::sort(Changes.begin(), Changes.end()); // ends come first
  int64_t Live = 0, Peak = 0;
  for (const auto &[Time, Bytes] : Changes)
    Peak = std::max(Peak, Live += Bytes);
  return uint64_t(Peak);
}

Expected<ProfileTables> ecohmem::tablesOf(const Profile &P, const Facts &F) {
  struct Sums {
    uint64_t Loads = 0, Stores = 0;
    std::vector<std::pair<int64_t, int64_t>> Changes;
  };
  const std::vector<int64_t> Times = timesOf(P);
  std::map<std::string, Sums> Objects;
  std::vector<std::map<std::string, Sums>::iterator> Of(P.Instances.size(),
                                                        Objects.end());
  ProfileTables Out;
  std::vector<std::pair<int64_t, int64_t>> AllChanges;
  for (size_t K = 0; K < P.Instances.size(); ++K) {
    const ek_raw_inst &I = P.Instances[K];
    const SiteFact *S = F.site(I.site);
    if (!I.site || EK_RAW_IS_SMALL(I.ordinal) || (S && S->onStack()))
      continue;
    Of[K] = Objects.try_emplace(stackOf(I, F)).first;
    Allocation A;
    A.Process = processOf(P, I.creator);
    A.AllocTime = Times[I.alloc_phase];
    A.FreeTime = I.free_phase >= P.Phases.size() ? Times.back()
                                                 : Times[I.free_phase + 1];
    A.Bytes = int64_t(I.bytes);
    for (auto *Changes : {&Of[K]->second.Changes, &AllChanges}) {
      Changes->emplace_back(A.AllocTime, A.Bytes);
      Changes->emplace_back(A.FreeTime, -A.Bytes);
    }
    A.Object = int64_t(K); // numbered below
    if (!S || !S->isStatic())
      Out.Allocations.push_back(A);
  }
  for (const ek_raw_miss &M : P.Misses) {
    if (Of[M.inst] == Objects.end())
      continue;
    Of[M.inst]->second.Loads += M.reads;
    Of[M.inst]->second.Stores += M.writes;
  }
  std::map<std::string, int64_t> Numbers;
  for (const auto &[Stack, X] : Objects) {
    Numbers[Stack] = int64_t(Numbers.size()) + 1;
    Out.Stacks.push_back(Stack);
    Out.Loads.push_back(X.Loads);
    Out.Stores.push_back(X.Stores);
    Out.Bytes.push_back(peakOf(X.Changes));
  }
  for (Allocation &A : Out.Allocations)
    A.Object = Numbers[Of[size_t(A.Object)]->first];
  Out.PeakBytes = peakOf(AllChanges);
  if (std::all_of(Out.Loads.begin(), Out.Loads.end(),
                  [](uint64_t N) { return N == 0; }) &&
      std::all_of(Out.Stores.begin(), Out.Stores.end(),
                  [](uint64_t N) { return N == 0; }))
    return Error{"the profile counts no accesses to main memory; record it "
                 "with --misses or --sampled"};
  return Out;
}
