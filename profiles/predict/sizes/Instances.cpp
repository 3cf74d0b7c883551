//===- Instances.cpp - match the objects of two inputs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Instances.h.
//===----------------------------------------------------------------------===//
#include "Instances.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// A larger alignment table is not worth its time.
constexpr size_t MostCells = 1 << 22;

/// Blocks of one site, creator and phase: rows of the base, known instances.
struct Group {
  std::vector<uint32_t> Base;
  std::vector<const PredictedInstance *> Known;
};

/// Returns pairs in increasing order; all other blocks have no partner.
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
  // Below the logarithm; otherwise matching 86 KB with 75 KB would cost no more
  // than matching 75 KB with 75 KB and leaving 86 KB unmatched.
  auto Alone = [&](double Bytes) {
    return figures().AloneCost *
           std::log(std::max(Bytes, LargeBytes) / LargeBytes);
  };
  // A block keeps its size, or grows like all of them together.
  const double Growth =
      std::log(std::max(1.0, std::accumulate(B.begin(), B.end(), 0.0)) /
               std::max(1.0, std::accumulate(A.begin(), A.end(), 0.0)));
  auto Both = [&](size_t I, size_t J) {
    const double Own = std::log(std::max(1.0, B[J]) / std::max(1.0, A[I]));
    return std::min(std::fabs(Own), std::fabs(Own - Growth));
  };
  // Cost[I][J]: of the first I blocks of A and the first J of B.
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

static InstanceMatch known(const PredictedInstance &I) {
  return {&I, I.Ordinal, I.InContext, false};
}

std::vector<InstanceMatch> evenkeel::prediction::matchInstances(
    const std::vector<ek_raw_inst> &Base,
    const std::vector<PredictedInstance> &Known, double LargeBytes) {
  std::vector<InstanceMatch> Out(Base.size());
  using Maker = std::tuple<uint64_t, uint32_t, uint64_t>; // the context last
  std::map<Maker, std::map<uint32_t, Group>> Groups;
  std::map<InstanceKey, const PredictedInstance *> ByOrdinal;
  uint32_t Last = 0; // the last phase whose allocations are known
  for (const PredictedInstance &I : Known)
    if (I.AllocPhase == EK_NO_TASK || EK_RAW_IS_SMALL(I.Ordinal)) {
      ByOrdinal[keyOf(nameOf(I))] = &I;
    } else {
      Groups[{I.Site, I.Creator, I.Context}][I.AllocPhase].Known.push_back(&I);
      Last = std::max(Last, I.AllocPhase);
    }
  const bool ByPhase = !Groups.empty();
  for (uint32_t I = 0; I < Base.size(); ++I) {
    const ek_raw_inst &X = Base[I];
    Out[I].Ordinal = X.ordinal;
    Out[I].InContext = X.in_context;
    auto K = ByOrdinal.find(keyOf(nameOf(X)));
    if (K != ByOrdinal.end())
      Out[I] = known(*K->second);
    else if (ByPhase && X.ordinal != EK_RAW_SMALL)
      Groups[{X.site, X.creator, X.context}][X.alloc_phase].Base.push_back(I);
  }
  // If a site made small blocks on the base input and one large block on the
  // target, the large block replaces the small ones.
  for (uint32_t I = 0; I < Base.size(); ++I) {
    const ek_raw_inst &X = Base[I];
    if (X.ordinal != EK_RAW_SMALL || Out[I].Known)
      continue;
    const Maker First{X.site, X.creator, 0};
    auto Its = Groups.lower_bound(First);
    auto Next = Its == Groups.end() ? Its : std::next(Its);
    auto IsIts = [&](auto It) {
      return It != Groups.end() && std::get<0>(It->first) == X.site &&
             std::get<1>(It->first) == X.creator;
    };
    if (!IsIts(Its) || IsIts(Next) || Its->second.size() != 1)
      continue;
    const auto &[Phase, G] = *Its->second.begin();
    if (Phase == X.alloc_phase && G.Base.empty() && G.Known.size() == 1)
      Out[I] = known(*G.Known[0]);
  }
  for (auto &[Who, Phases] : Groups) {
    int64_t Shift = 0; // of the following ordinals
    for (auto &[Phase, G] : Phases) {
      if (Phase > Last) {
        auto Move = [&](uint32_t &Ordinal) {
          if (!EK_RAW_IS_SMALL(Ordinal))
            Ordinal = uint32_t(std::max<int64_t>(0, Ordinal + Shift));
        };
        for (uint32_t I : G.Base) {
          Move(Out[I].Ordinal);
          Move(Out[I].InContext);
        }
        continue;
      }
      std::sort(G.Known.begin(), G.Known.end(),
                [](const PredictedInstance *A, const PredictedInstance *B) {
                  return A->Ordinal < B->Ordinal;
                });
      std::vector<double> Old, New;
      std::sort(G.Base.begin(), G.Base.end(), [&](uint32_t A, uint32_t B) {
        return std::tie(Base[A].number, A) < std::tie(Base[B].number, B);
      });
      for (uint32_t I : G.Base) {
        Old.push_back(double(Base[I].bytes));
        Out[I].BelowLarge = !G.Known.empty();
      }
      for (const PredictedInstance *K : G.Known)
        New.push_back(K->Bytes);
      for (auto [A, B] : align(Old, New, LargeBytes))
        Out[G.Base[A]] = known(*G.Known[B]);
      Shift += int64_t(New.size()) -
               std::count_if(G.Base.begin(), G.Base.end(), [&](uint32_t I) {
                 return !EK_RAW_IS_SMALL(Base[I].ordinal);
               });
    }
  }
  return Out;
}

namespace {
/// Blocks that share a sequence of ordinals: rows, in order of allocation.
using Counted = std::vector<uint32_t>;
} // namespace

/// \p Which is the member that holds a block's ordinal.
static void numberRows(const Counted &Rows,
                       const std::vector<ek_raw_inst> &Base, double LargeBytes,
                       uint32_t PredictedInstance::*Which,
                       std::vector<PredictedInstance> &Target) {
  auto Grown = [&](uint32_t I) {
    return EK_RAW_IS_SMALL(Base[I].ordinal) &&
           Base[I].ordinal != EK_RAW_SMALL && Target[I].Bytes >= LargeBytes;
  };
  if (std::none_of(Rows.begin(), Rows.end(), Grown))
    return;
  uint32_t Next = 0;
  for (uint32_t I : Rows) {
    uint32_t &Ordinal = Target[I].*Which;
    if (Target[I].Bytes < LargeBytes)
      continue;
    // A block that is known, or whose neighbours are, keeps its ordinal.
    if (!EK_RAW_IS_SMALL(Ordinal) && Ordinal > Next)
      Next = Ordinal;
    Ordinal = Next++;
  }
}

void evenkeel::prediction::numberGrown(const std::vector<ek_raw_inst> &Base,
                                       double LargeBytes,
                                       std::vector<PredictedInstance> &Target) {
  std::map<std::tuple<uint64_t, uint32_t>, Counted> Sites;
  std::map<std::tuple<uint64_t, uint32_t>, Counted> Contexts;
  for (uint32_t I = 0; I < Base.size(); ++I)
    if (Base[I].ordinal != EK_RAW_SMALL) {
      Sites[{Base[I].site, Base[I].creator}].push_back(I);
      if (Base[I].context)
        Contexts[{Base[I].context, Base[I].creator}].push_back(I);
    }
  auto Number = [&](auto &Groups, uint32_t PredictedInstance::*Which) {
    for (auto &Entry : Groups) {
      Counted &Rows = Entry.second;
      std::sort(Rows.begin(), Rows.end(), [&](uint32_t A, uint32_t B) {
        return std::tie(Base[A].number, A) < std::tie(Base[B].number, B);
      });
      numberRows(Rows, Base, LargeBytes, Which, Target);
    }
  };
  Number(Contexts, &PredictedInstance::InContext);
  Number(Sites, &PredictedInstance::Ordinal);
}
