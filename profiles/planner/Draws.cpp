//===- Draws.cpp - by how much phases may be off --------------------------===//
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

PhaseErrors evenkeel::drawErrors(const Problem &P, const PredictedPhase &H,
                                 unsigned Draws) {
  // Most errors are far below the bound, so that a normal distribution that
  // fits the bound would be too wide.
  const double Typical = figures().TypicalError / DeviationsInBound;
  // The cost model is off, too, even where all counts are known.
  const double Model = std::log1p(figures().ModelOff);
  const double Shared = std::sqrt(figures().SharedError),
               Own = std::sqrt(1 - figures().SharedError);
  PhaseErrors Out;
  Out.Sets = Draws;
  Out.Tasks.reserve(H.Tasks.size());
  for (const PredictedTask &T : H.Tasks) {
    const uint64_t Task = T.Explicit ? ~uint64_t(T.Index) : T.Index;
    auto Off = [&](double Deviation, uint64_t What) {
      std::vector<double> By;
      By.reserve(Draws);
      for (unsigned D = 0; D < Draws; ++D)
        By.push_back(
            std::exp(Deviation * (Shared * normal(D, T.Region, What, AllTasks) +
                                  Own * normal(D, T.Region, What, Task))));
      return By;
    };
    TaskErrors &Its = Out.Tasks.emplace_back();
    Its.Core =
        Off(Typical * coreBoundOf(T.Core, T.Estimates, T.CoreOff), CoreTime);
    const EstimateBounds Bounds(T);
    const auto &Units = T.Demand.Units;
    for (size_t First = 0, End = 0; First < Units.size(); First = End) {
      const uint32_t Instance = P.Units[Units[First].Unit].Instance;
      while (End < Units.size() &&
             P.Units[Units[End].Unit].Instance == Instance)
        ++End; // units of an object are off alike
      const uint64_t Site = P.Instances[Instance].Site;
      Its.Objects.push_back(
          {End, Off(Typical * std::hypot(Bounds.in(Instance), Model),
                    Site ? Site : Instance)});
    }
  }
  return Out;
}
