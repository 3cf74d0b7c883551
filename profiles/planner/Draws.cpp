//===- Draws.cpp - phases as they may turn out ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Draws.h. ln(true / predicted) is nearly normal: the sum of four uniform
// numbers (Hall 1927; Irwin 1927), which are parts of a hash of what the error
// belongs to. So phases of one region are off alike, and a draw depends on no
// order.
//===----------------------------------------------------------------------===//
#include "Draws.h"
#include "format/Identity.h"
#include "predict/Confidence.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

/// Bounds hold in nine cases of ten, which is this many standard deviations.
constexpr double DeviationsInBound = 1.645;

/// A number with mean 0 and variance 1 for the error of \p What in \p Region.
double normal(unsigned Draw, uint64_t Region, uint64_t What, uint64_t Task) {
  uint64_t Key = detail::avalanche(detail::avalanche(Draw / 2 + 1) ^ Region);
  Key = detail::avalanche(detail::avalanche(Key ^ What) + Task);
  double Sum = 0;
  for (unsigned Shift = 0; Shift < 64; Shift += 16)
    Sum += double(uint16_t(Key >> Shift)) / 65535 - 0.5;
  const double Z = Sum * std::sqrt(3.0); // each has a variance of 1/12
  return Draw % 2 ? -Z : Z;
}

constexpr uint64_t AllTasks = ~0ull, CoreTime = ~0ull;

} // namespace

PhaseDraws::PhaseDraws(const Problem &P, const PredictedPhase &H) : P(P), H(H) {
  // Most errors are far below the bound, so that a normal distribution that
  // fits the bound would be too wide.
  const double Typical = figures().TypicalError / DeviationsInBound;
  // The cost model is off, too, even where all counts are known.
  const double Model = std::log1p(figures().ModelOff);
  for (const PredictedTask &T : H.Tasks) {
    const EstimateBounds Bounds(T);
    std::vector<double> Its;
    for (const UnitDemand &U : T.Demand.Units)
      Its.push_back(Typical *
                    std::hypot(Bounds.in(P.Units[U.Unit].Instance), Model));
    Lines.push_back(std::move(Its));
    Core.push_back(Typical * coreBoundOf(T.Core, T.Estimates, T.CoreOff));
  }
}

PredictedPhase PhaseDraws::draw(unsigned Which) const {
  const double Shared = std::sqrt(figures().SharedError),
               Own = std::sqrt(1 - figures().SharedError);
  std::vector<PredictedTask> Tasks;
  Tasks.reserve(H.Tasks.size());
  for (size_t T = 0; T < H.Tasks.size(); ++T) {
    const PredictedTask &Of = H.Tasks[T];
    PredictedTask &Its = Tasks.emplace_back(); // no estimates: nobody asks
    Its.Region = Of.Region;
    Its.Index = Of.Index;
    Its.Explicit = Of.Explicit;
    Its.Demand = Of.Demand;
    Its.Preds = Of.Preds;
    const uint64_t Task = Its.Explicit ? ~uint64_t(Its.Index) : Its.Index;
    auto Off = [&](double Deviation, uint64_t What) {
      return std::exp(Deviation *
                      (Shared * normal(Which, Its.Region, What, AllTasks) +
                       Own * normal(Which, Its.Region, What, Task)));
    };
    Its.Demand.CoreSeconds *= Off(Core[T], CoreTime);
    uint32_t Last = EK_NO_TASK; // units of an object are off alike
    double By = 1;
    for (size_t K = 0; K < Its.Demand.Units.size(); ++K) {
      UnitDemand &U = Its.Demand.Units[K];
      const uint32_t Instance = P.Units[U.Unit].Instance;
      if (Instance != Last) {
        const uint64_t Site = P.Instances[Instance].Site;
        By = Off(Lines[T][K], Site ? Site : Instance);
        Last = Instance;
      }
      for (double *X :
           {&U.ReadLines, &U.WriteLines, &U.Exposed, &U.OpeningWrites})
        *X *= By;
    }
  }
  PredictedPhase Out;
  Out.Phase = H.Phase;
  Out.Region = H.Region;
  Out.Workers = H.Workers;
  Out.Tasks = std::move(Tasks);
  return Out;
}
