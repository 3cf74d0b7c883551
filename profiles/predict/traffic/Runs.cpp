//===- Runs.cpp - lengths of runs in walks --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a prefetcher needs two lines (PrefetchTraining) to detect a run, and
// works page by page (runtime/record/caches/Prefetcher.h). In a walk that jumps
// after runs of L lines, on average on 1 + (L - 1) / 64 pages each, the share
//   u = 2 (1 + (L - 1) / 64) / L
// is not prefetched. On the base input a line weighs
//   w = (1 - u) / depth + u e,
// which gives e, the weight of a line that is not prefetched; longer runs on
// the target have fewer such lines.
// Makes: the weight of a line on the target, relative to the base input.
// Not here: walks that never jump, and jumps of unknown length.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "predict/symbols/Evaluate.h"
#include "problem/Problem.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

static constexpr double PageLines = EK_PAGE / LineBytes;

static double notPrefetched(double Lines) {
  return std::min(1.0, figures().PrefetchTraining *
                           (1 + (Lines - 1) / PageLines) / Lines);
}

/// For a product, the ratio of the factors that are known on the target, and
/// the number of unknown factors.
static std::pair<double, unsigned>
sidesOf(const CountInputs &In, const Expr &Count, uint32_t Task, bool OfOwn) {
  std::vector<ExprRef> Factors;
  if (Count.K == Expr::Op && Count.Code == Expr::Multiply)
    Factors = Count.Args;
  double Known = 1;
  unsigned Unknown = Factors.empty();
  for (const ExprRef &E : Factors) {
    Trace How;
    const std::optional<double> V0 = evalBase(In.Base, *E, Task),
                                V1 = V0 ? evalTarget(In.Base, In.New.values(),
                                                     *E, Task, How, OfOwn)
                                        : std::nullopt;
    if (E->K == Expr::Const)
      continue;
    if (V1 && *V0 > 0 && (How.Changed || !How.Kept))
      Known *= *V1 / *V0;
    else
      ++Unknown;
  }
  return {Known, Unknown};
}

/// The elements of a run of \p A on both inputs, when accesses to the object
/// grow by \p Growth; null: not known. If the run is a side of a block, and no
/// side is known on the target, all sides are assumed to grow alike.
static std::optional<std::pair<double, double>> runOf(const CountInputs &In,
                                                      const AccessFact &A,
                                                      uint32_t Task, bool OfOwn,
                                                      double Growth) {
  const std::optional<double> V0 = In.Old.at(In.Base, A, CountOf::Run, Task).V;
  if (!V0 || *V0 <= 0)
    return std::nullopt;
  Trace How;
  const std::optional<double> V1 = In.New.at(A, CountOf::Run, Task, How, OfOwn);
  if (V1 && (!How.Kept || How.Changed))
    return std::pair(*V0, *V1);
  const auto [Known, Unknown] =
      sidesOf(In, A.Reads ? *A.Reads : *A.Writes, Task, OfOwn);
  if (!Unknown || Growth <= 0)
    return std::nullopt;
  return std::pair(*V0, *V0 * std::pow(Growth / Known, 1.0 / Unknown));
}

double evenkeel::prediction::runWeight(const CountInputs &In, uint32_t Task,
                                       const BaseDemand &Q, double Growth) {
  const double Depth = In.Base.B.Config.prefetch_depth;
  const std::vector<const AccessFact *> *Its = In.Base.accesses(Task, Q.Inst);
  if (!Q.Walked || Q.Reads <= 0 || Depth <= 1 || !Its)
    return 1;
  double Before = 0, After = 0; // lines
  for (const AccessFact *A : *Its) {
    if (A->Class == AccessFact::Invariant)
      continue;
    const auto Run = runOf(In, *A, Task, isOwned(In.New, Q.Inst), Growth);
    if (!Run)
      return 1;
    const double Bytes =
        double(A->Stride ? std::abs(*A->Stride) : int64_t(A->ElementBytes));
    Before = std::max(Before, std::max(1.0, Run->first * Bytes / LineBytes));
    After = std::max(After, std::max(1.0, Run->second * Bytes / LineBytes));
  }
  if (Before <= 0 || After <= 0)
    return 1;
  const double Weight = Q.Weight / Q.Reads, U0 = notPrefetched(Before),
               U1 = notPrefetched(After),
               Each = std::min(1.0, (Weight - (1 - U0) / Depth) / U0);
  if (Each <= 1 / Depth)
    return 1;
  return ((1 - U1) / Depth + U1 * Each) / ((1 - U0) / Depth + U0 * Each);
}
