//===- Decompose.cpp - systematic and dynamic imbalance of ranks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Decompose.h.
//===----------------------------------------------------------------------===//
#include "Decompose.h"
#include <algorithm>

namespace evenkeel {

namespace {

constexpr size_t FewestSamples = 8;

/// The times of all ranks before one passage.
using Passage = std::vector<double>;

/// The passages that all ranks have kept, by collective.
std::map<uint64_t, std::vector<Passage>>
commonPassages(const std::vector<RankWork> &Ranks) {
  std::map<uint64_t, std::vector<Passage>> Out;
  std::vector<size_t> At(Ranks.size(), 0);
  for (const WorkBefore &First : Ranks[0].Samples) {
    Passage P;
    for (size_t R = 0; R < Ranks.size(); ++R) {
      const std::vector<WorkBefore> &Its = Ranks[R].Samples;
      while (At[R] < Its.size() && Its[At[R]].Number < First.Number)
        ++At[R];
      if (At[R] < Its.size() && Its[At[R]].Number == First.Number)
        P.push_back(Its[At[R]].Seconds);
    }
    if (P.size() == Ranks.size())
      Out[First.Sync].push_back(std::move(P));
  }
  return Out;
}

double meanOf(const std::vector<double> &X) {
  double Sum = 0;
  for (double V : X)
    Sum += V;
  return Sum / double(X.size());
}

/// Each rank's mean over every \p Step'th passage, beginning with \p First.
std::vector<double> rankMeans(const std::vector<Passage> &Ps, size_t First,
                              size_t Step) {
  std::vector<double> Sums(Ps[0].size(), 0);
  size_t N = 0;
  for (size_t K = First; K < Ps.size(); K += Step, ++N)
    for (size_t R = 0; R < Sums.size(); ++R)
      Sums[R] += Ps[K][R];
  for (double &S : Sums)
    S /= double(N);
  return Sums;
}

size_t slowestOf(const std::vector<double> &Means) {
  return size_t(std::max_element(Means.begin(), Means.end()) - Means.begin());
}

/// By how much the slowest rank of one half exceeds the mean in the other half.
double systematicWait(const std::vector<Passage> &Ps) {
  const std::vector<double> Even = rankMeans(Ps, 0, 2),
                            Odd = rankMeans(Ps, 1, 2);
  const double Sum =
      Odd[slowestOf(Even)] - meanOf(Odd) + Even[slowestOf(Odd)] - meanOf(Even);
  return std::max(0.0, Sum / 2);
}

CollectiveImbalance lookAt(const std::vector<Passage> &Ps,
                           const std::vector<RankWork> &Ranks) {
  CollectiveImbalance C;
  C.Sampled = Ps.size();
  const std::vector<double> Means = rankMeans(Ps, 0, 1);
  C.Mean = meanOf(Means);
  C.Slowest = Ranks[slowestOf(Means)].Rank;
  double Wait = 0, Spread = 0;
  for (const Passage &P : Ps) {
    const auto [Fastest, Slowest] = std::minmax_element(P.begin(), P.end());
    Wait += *Slowest - meanOf(P);
    Spread += *Slowest - *Fastest;
  }
  Wait /= double(Ps.size());
  if (C.Mean > 0) {
    const auto [Fastest, Slowest] =
        std::minmax_element(Means.begin(), Means.end());
    C.IntervalSpread = Spread / double(Ps.size()) / C.Mean;
    C.RankSpread = (*Slowest - *Fastest) / C.Mean;
  }
  C.Systematic = std::min(Wait, systematicWait(Ps));
  C.Dynamic = std::max(0.0, Wait - C.Systematic);
  return C;
}

void keepWork(const std::vector<Passage> &Ps, Imbalance &Out) {
  const size_t Most = std::min(Ps.size(), Imbalance::MostPassages);
  for (size_t K = 0; K < Most; ++K)
    Out.Work.push_back(Ps[K * Ps.size() / Most]);
}

} // namespace

Imbalance decomposeImbalance(const std::vector<RankWork> &Ranks) {
  Imbalance Out;
  Out.Ranks = uint32_t(Ranks.size());
  if (Ranks.size() < 2)
    return Out;
  const std::map<uint64_t, std::vector<Passage>> Kept = commonPassages(Ranks);
  for (const auto &[Sync, Passed] : Ranks[0].Collectives) {
    const auto Its = Kept.find(Sync);
    if (Its == Kept.end() || Its->second.size() < FewestSamples) {
      Out.LeftOut += Passed.Times;
      continue;
    }
    CollectiveImbalance C = lookAt(Its->second, Ranks);
    C.Sync = Sync;
    C.Call = Passed.Call;
    C.Times = Passed.Times;
    Out.Collectives.push_back(C);
  }
  std::sort(Out.Collectives.begin(), Out.Collectives.end(),
            [](const CollectiveImbalance &A, const CollectiveImbalance &B) {
              const double X = double(A.Times) * (A.Systematic + A.Dynamic),
                           Y = double(B.Times) * (B.Systematic + B.Dynamic);
              return X != Y ? X > Y : A.Sync < B.Sync;
            });
  if (!Out.Collectives.empty())
    keepWork(Kept.at(Out.Collectives[0].Sync), Out);
  return Out;
}

} // namespace evenkeel
