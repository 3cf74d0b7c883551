//===- AlikeEntries.cpp - one plan entry for many objects -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AlikeEntries.h.
//===----------------------------------------------------------------------===//
#include "AlikeEntries.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace evenkeel;

bool evenkeel::hasItsOrdinals(const PlanObject &O) {
  const uint64_t Last = std::max(O.Ordinal.value_or(0), O.OfSite.value_or(0));
  return O.Ordinal && O.Alike >= 1 && Last + O.Alike - 1 <= UINT32_MAX;
}

/// Whether \p B has the same placement for the ordinal \p Later after that of
/// \p A.
static bool goesOn(const PlanObject &A, const PlanObject &B, uint32_t Later) {
  auto Follows = [&](const std::optional<uint32_t> &X,
                     const std::optional<uint32_t> &Y) {
    return Y && uint64_t(*X) + Later == *Y;
  };
  auto SameRange = [](const PlanRange &X, const PlanRange &Y) {
    return X.From == Y.From && X.To == Y.To && X.Share == Y.Share;
  };
  return A.Site == B.Site && A.Context == B.Context && A.Creator == B.Creator &&
         A.Ordinal && Follows(A.Ordinal, B.Ordinal) &&
         (A.OfSite ? Follows(A.OfSite, B.OfSite) : !B.OfSite) && A.Alike == 1 &&
         B.Alike == 1 && A.Share == B.Share && A.LeftAlone == B.LeftAlone &&
         A.PredictedBytes == B.PredictedBytes && A.LeastBytes == B.LeastBytes &&
         A.MostBytes == B.MostBytes && A.GainSeconds == B.GainSeconds &&
         A.At == B.At && A.Calls == B.Calls && A.Reason == B.Reason &&
         std::equal(A.Ranges.begin(), A.Ranges.end(), B.Ranges.begin(),
                    B.Ranges.end(), SameRange);
}

uint32_t evenkeel::alikeFrom(const std::vector<const PlanObject *> &Sorted,
                             size_t First) {
  uint32_t N = 1;
  while (First + N < Sorted.size() &&
         goesOn(*Sorted[First], *Sorted[First + N], N))
    ++N;
  return N;
}

bool evenkeel::expandAlike(std::vector<PlanObject> &Objects) {
  size_t All = 0;
  for (const PlanObject &O : Objects)
    if ((All += O.Alike) > MostPlanned)
      return false;
  if (All == Objects.size())
    return true;
  std::vector<PlanObject> Out;
  Out.reserve(All);
  for (PlanObject &O : Objects) {
    const uint32_t N = std::exchange(O.Alike, 1);
    for (uint32_t K = 1; K < N; ++K) {
      Out.push_back(O);
      ++*O.Ordinal;
      if (O.OfSite)
        ++*O.OfSite;
    }
    Out.push_back(std::move(O));
  }
  Objects = std::move(Out);
  return true;
}

bool evenkeel::areApart(const std::vector<PlanObject> &Objects) {
  using Name = std::array<uint64_t, 4>; // identifies the sequence of ordinals
  std::vector<std::pair<Name, uint64_t>>
      Runs; // each with the entry's last ordinal
  auto Apart = [&] {
    std::sort(Runs.begin(), Runs.end());
    for (size_t I = 1; I < Runs.size(); ++I) {
      const Name &A = Runs[I - 1].first, &B = Runs[I].first;
      if (std::equal(A.begin(), A.end() - 1, B.begin()) &&
          Runs[I - 1].second >= B.back())
        return false;
    }
    return true;
  };
  auto Add = [&](const PlanObject &O, uint64_t Context, uint32_t First) {
    Runs.push_back({{O.Site, Context, O.Creator ? *O.Creator : PlanAny, First},
                    uint64_t(First) + O.Alike - 1});
  };
  for (const PlanObject &O : Objects)
    if (O.Ordinal)
      Add(O, O.Context.value_or(0), *O.Ordinal);
  if (!Apart())
    return false;
  Runs.clear();
  for (const PlanObject &O : Objects)
    if (O.Context && O.OfSite)
      Add(O, 0, *O.OfSite);
  return Apart();
}
