//===- FromDamo.cpp - DAMON's samples as touched pages --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FromDamo.h.
//===----------------------------------------------------------------------===//
#include "FromDamo.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::damo {

static constexpr uint64_t PageBytes = 4096;

/// The address ranges of all regions of \p T, without gaps inside.
static std::vector<Mapping> rangesOf(const Target &T) {
  std::vector<std::pair<uint64_t, uint64_t>> All;
  for (const Snapshot &S : T.Snapshots)
    for (const Region &R : S.Regions)
      All.emplace_back(R.Start, R.End);
  std::sort(All.begin(), All.end());
  std::vector<Mapping> Out;
  for (const auto &[Start, End] : All)
    if (!Out.empty() && Start <= Out.back().End)
      Out.back().End = std::max(Out.back().End, End);
    else
      Out.push_back({Start, End, "unnamed", ""});
  for (size_t I = 0; I < Out.size(); ++I)
    Out[I].Name = "watched range " + std::to_string(I + 1) + " of " +
                  std::to_string(Out.size());
  return Out;
}

/// \p Ranges cut by the mappings \p Of, with their names where they overlap.
static std::vector<Mapping> named(const std::vector<Mapping> &Ranges,
                                  const std::vector<Mapping> &Of) {
  std::vector<Mapping> Out;
  for (const Mapping &R : Ranges) {
    uint64_t At = R.Start;
    for (const Mapping &M : Of) {
      if (M.End <= At || M.Start >= R.End)
        continue;
      if (M.Start > At)
        Out.push_back({At, M.Start, R.Kind, R.Name});
      At = std::max(At, M.Start);
      Out.push_back({At, std::min(M.End, R.End), M.Kind, M.Name});
      At = std::min(M.End, R.End);
    }
    if (At < R.End)
      Out.push_back({At, R.End, R.Kind, R.Name});
  }
  return Out;
}

static uint32_t pagesUpTo(uint64_t Bytes) {
  return uint32_t((Bytes + PageBytes - 1) / PageBytes);
}

/// The pages of a region that a window sees touched; at least one, if any
/// sample found it accessed.
static uint32_t touchedOf(double Share, uint32_t Pages) {
  const auto N = uint32_t(std::llround(Share * Pages));
  return Share > 0 ? std::clamp(N, uint32_t(1), Pages) : 0;
}

/// Adds the rows of \p S; objects \p First and following are \p Objects.
static uint64_t addRows(const Snapshot &S, const std::vector<Mapping> &Objects,
                        uint32_t First, uint32_t Pass, TouchRecord &Out) {
  uint64_t All = 0;
  size_t At = 0;
  for (const Region &R : S.Regions) {
    while (At < Objects.size() && Objects[At].End <= R.Start)
      ++At;
    for (size_t I = At; I < Objects.size() && Objects[I].Start < R.End; ++I) {
      const uint64_t Base = Objects[I].Start / PageBytes * PageBytes;
      const uint64_t From = std::max(R.Start, Objects[I].Start) - Base,
                     To = std::min(R.End, Objects[I].End) - Base;
      TouchRow X;
      X.Pass = Pass;
      X.Object = First + uint32_t(I);
      X.First = uint32_t(From / PageBytes);
      X.Pages = pagesUpTo(To) - X.First;
      X.Resident = X.Pages;
      X.Touched = touchedOf(R.Share, X.Pages);
      X.Written = TouchRow::Unknown;
      Out.Rows.push_back(X);
      All += X.Pages;
    }
  }
  return All;
}

Expected<TouchRecord> touchesOf(const std::vector<Target> &Targets,
                                const std::vector<Mapping> &Of) {
  TouchRecord Out;
  Out.Command = "(recorded by DAMON)";
  Out.Mechanism = DamonMechanism;
  Out.PageBytes = PageBytes;
  if (!Of.empty() && Targets.size() != 1)
    return Error{"has " + std::to_string(Targets.size()) +
                 " targets; mappings are those of one process"};
  for (const Target &T : Targets) {
    const auto Process = uint32_t(Out.Processes.size());
    const auto First = uint32_t(Out.Objects.size());
    const double Begin = T.Snapshots.front().StartNs;
    double End = Begin;
    const std::vector<Mapping> Objects = named(rangesOf(T), Of);
    for (const Mapping &M : Objects) {
      constexpr uint64_t Most = (uint64_t(1) << 32) - 4; // pages
      if ((M.End - M.Start) / PageBytes > Most)
        return Error{"has a range of more than 16 TiB"};
      TouchObject O;
      O.Process = Process;
      O.Kind = M.Kind;
      O.Name = M.Name;
      O.Address = M.Start;
      O.Bytes = M.End - M.Start;
      Out.Objects.push_back(std::move(O));
    }
    for (const Snapshot &S : T.Snapshots) {
      const auto Pass = uint32_t(Out.Passes.size());
      TouchPass P;
      P.Process = Process;
      P.TimeNs = uint64_t(S.StartNs - Begin);
      P.WindowNs = uint64_t(std::min(T.SampleNs, S.EndNs - S.StartNs));
      P.ResidentPages = addRows(S, Objects, First, Pass, Out);
      Out.Passes.push_back(P);
      End = std::max(End, S.EndNs);
    }
    TouchProcess P;
    P.Program = Targets.size() == 1 ? "target" : "target " + T.Id;
    P.ProgramNs = uint64_t(End - Begin);
    Out.Processes.push_back(std::move(P));
  }
  return Out;
}

} // namespace evenkeel::damo
