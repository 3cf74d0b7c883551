//===- Instances.cpp - the same objects on two inputs ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see Instances.h.
//===----------------------------------------------------------------------===//
#include "Instances.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::extrapolation;

namespace {

/// Larger tables of the alignment are not worth their time.
constexpr size_t MostCells = 1 << 22;

/// Blocks of one site, creator and phase: rows of the base, known ones.
struct Group {
  std::vector<uint32_t> Base;
  std::vector<const PredictedInstance *> Known;
};

/// Pairs in rising order; the rest has no partner.
std::vector<std::pair<size_t, size_t>> align(const std::vector<double> &A,
                                             const std::vector<double> &B,
                                             double LargeBytes) {
  std::vector<std::pair<size_t, size_t>> Pairs;
  const size_t N = A.size(), M = B.size();
  if (N == M || (N + 1) * (M + 1) > MostCells) {
    for (size_t I = 0; I < std::min(N, M); ++I)
      Pairs.emplace_back(I, I);
    return Pairs;
  }
  // Less than the logarithm, or 86 KB would go with 75 KB as well as 75 KB with
  // 75 KB and nothing with 86.
  auto Alone = [&](double Bytes) {
    return 0.9 * std::log(std::max(Bytes, LargeBytes) / LargeBytes);
  };
  // A block keeps its size, or grows as all of them together did.
  const double Growth =
      std::log(std::max(1.0, std::accumulate(B.begin(), B.end(), 0.0)) /
               std::max(1.0, std::accumulate(A.begin(), A.end(), 0.0)));
  auto Both = [&](size_t I, size_t J) {
    const double Own = std::log(std::max(1.0, B[J]) / std::max(1.0, A[I]));
    return std::min(std::fabs(Own), std::fabs(Own - Growth));
  };
  // Cost[I][J]: of the first I of A and the first J of B.
  std::vector<double> Cost((N + 1) * (M + 1), 0);
  auto At = [&](size_t I, size_t J) -> double & {
    return Cost[I * (M + 1) + J];
  };
  for (size_t I = 0; I <= N; ++I)
    for (size_t J = 0; J <= M; ++J) {
      if (!I && !J)
        continue;
      double Least = HUGE_VAL;
      if (I)
        Least = std::min(Least, At(I - 1, J) + Alone(A[I - 1]));
      if (J)
        Least = std::min(Least, At(I, J - 1) + Alone(B[J - 1]));
      if (I && J)
        Least = std::min(Least, At(I - 1, J - 1) + Both(I - 1, J - 1));
      At(I, J) = Least;
    }
  for (size_t I = N, J = M; I && J;) {
    if (At(I, J) == At(I - 1, J - 1) + Both(I - 1, J - 1)) {
      Pairs.emplace_back(--I, --J);
    } else if (At(I, J) == At(I - 1, J) + Alone(A[I - 1])) {
      --I;
    } else {
      --J;
    }
  }
  std::reverse(Pairs.begin(), Pairs.end());
  return Pairs;
}

} // namespace

std::vector<InstanceMatch> evenkeel::extrapolation::matchInstances(
    const std::vector<ek_raw_inst> &Base,
    const std::vector<PredictedInstance> &Known, double LargeBytes) {
  std::vector<InstanceMatch> Out(Base.size());
  using Maker = std::pair<uint64_t, uint32_t>; // site, creator
  std::map<Maker, std::map<uint32_t, Group>> Groups;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, const PredictedInstance *>
      ByOrdinal;
  uint32_t Last = 0; // phase whose allocations are known
  for (const PredictedInstance &I : Known)
    if (I.AllocPhase == EK_NO_TASK || I.Ordinal == EK_RAW_SMALL) {
      ByOrdinal[{I.Site, I.Creator, I.Ordinal}] = &I;
    } else {
      Groups[{I.Site, I.Creator}][I.AllocPhase].Known.push_back(&I);
      Last = std::max(Last, I.AllocPhase);
    }
  const bool ByPhase = !Groups.empty();
  for (uint32_t I = 0; I < Base.size(); ++I) {
    const ek_raw_inst &X = Base[I];
    Out[I].Ordinal = X.ordinal;
    auto K = ByOrdinal.find({X.site, X.creator, X.ordinal});
    if (K != ByOrdinal.end())
      Out[I].Known = K->second;
    else if (ByPhase && X.ordinal != EK_RAW_SMALL)
      Groups[{X.site, X.creator}][X.alloc_phase].Base.push_back(I);
  }
  // A site that made small blocks on the base input and one large one on the
  // target made it where those were.
  for (uint32_t I = 0; I < Base.size(); ++I) {
    const ek_raw_inst &X = Base[I];
    if (X.ordinal != EK_RAW_SMALL || Out[I].Known)
      continue;
    auto Its = Groups.find({X.site, X.creator});
    if (Its == Groups.end() || Its->second.size() != 1)
      continue;
    const auto &[Phase, G] = *Its->second.begin();
    if (Phase == X.alloc_phase && G.Base.empty() && G.Known.size() == 1)
      Out[I] = {G.Known[0], G.Known[0]->Ordinal, false};
  }
  for (auto &[Who, Phases] : Groups) {
    int64_t Shift = 0; // of the ordinals behind
    for (auto &[Phase, G] : Phases) {
      if (Phase > Last) {
        for (uint32_t I : G.Base)
          Out[I].Ordinal =
              uint32_t(std::max<int64_t>(0, Out[I].Ordinal + Shift));
        continue;
      }
      std::sort(G.Known.begin(), G.Known.end(),
                [](const PredictedInstance *A, const PredictedInstance *B) {
                  return A->Ordinal < B->Ordinal;
                });
      std::vector<double> Old, New;
      for (uint32_t I : G.Base) {
        Old.push_back(double(Base[I].bytes));
        Out[I].BelowLarge = !G.Known.empty();
      }
      for (const PredictedInstance *K : G.Known)
        New.push_back(K->Bytes);
      for (auto [A, B] : align(Old, New, LargeBytes))
        Out[G.Base[A]] = {G.Known[B], G.Known[B]->Ordinal, false};
      Shift += int64_t(New.size()) - int64_t(Old.size());
    }
  }
  return Out;
}
