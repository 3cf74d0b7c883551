//===- SizePowers.cpp - what objects of other sizes teach -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects of one site that have several sizes on the base input show how
// what a region accesses of them goes with the size: over the objects,
//   ln Y(object) = d + p ln bytes(object),
// Y the accesses of all tasks in phases that end at the same sync point. The
// exchange of the edges of grids has a p near 1/2, a sweep over them one
// near 1. Makes: p, where it is certain enough and not about 1. Leaves out:
// growth that a formula gives (Work.cpp), or tasks (PowerLaws.cpp).
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

namespace {

/// Points of a fit, at least.
constexpr size_t LeastPoints = 8;
/// Standard deviation of the sizes' logarithms, at least.
constexpr double LeastSpread = 0.2;
/// Standard error of the power, and standard deviation of what it leaves
/// unexplained, at most.
constexpr double MostError = 0.15, MostResidual = 0.35;
/// Powers this near to 1 come of edges that a sweep leaves out: their share
/// falls as grids grow, and the power with it.
constexpr double AboutOne = 0.25;
/// A loop nest over an object's elements, with one more loop as long as the
/// object is wide in at least one dimension. More is chance.
constexpr double MostPower = 2;

struct Fit {
  double N = 0, X = 0, Y = 0, XX = 0, XY = 0, YY = 0;

  void add(double Of, double Value) {
    ++N;
    X += Of;
    Y += Value;
    XX += Of * Of;
    XY += Of * Value;
    YY += Value * Value;
  }
  /// The slope, if it is certain enough (least squares).
  std::optional<double> slope() const {
    const double Sxx = XX - X * X / N, Sxy = XY - X * Y / N,
                 Syy = YY - Y * Y / N;
    if (N < LeastPoints || Sxx < N * LeastSpread * LeastSpread)
      return std::nullopt;
    const double Slope = Sxy / Sxx,
                 Residual =
                     std::sqrt(std::max(0.0, Syy - Slope * Sxy) / (N - 2));
    if (Residual > MostResidual || Residual / std::sqrt(Sxx) > MostError)
      return std::nullopt;
    return Slope;
  }
};

} // namespace

void Extrapolator::fitSizePowers() {
  // By object, so that phases that repeat do not count as evidence.
  std::map<SizePowerKey, std::map<uint32_t, double>> Seen;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    for (const BaseDemand &Q : Demands[T])
      if (Q.Accesses > 0 && double(B.Instances[Q.Inst].bytes) >= LargeBytes)
        Seen[sizePowerKey(T, Q)][Q.Inst] += Q.Accesses;
  for (const auto &[Key, Points] : Seen) {
    Fit Of;
    for (auto [Inst, Accesses] : Points)
      Of.add(std::log(double(B.Instances[Inst].bytes)), std::log(Accesses));
    const std::optional<double> Power = Of.slope();
    if (Power && *Power >= 0 && *Power <= MostPower &&
        std::fabs(*Power - 1) > AboutOne)
      SizePowers[Key] = *Power;
  }
}

Extrapolator::SizePowerKey
Extrapolator::sizePowerKey(uint32_t Task, const BaseDemand &Q) const {
  const ek_raw_task &T = B.Tasks[Task];
  return {T.region, B.Phases[T.phase].sync, B.Instances[Q.Inst].site};
}

/// How the accesses of \p Task to the object go with its size.
double Extrapolator::sizePower(uint32_t Task, const BaseDemand &Q) const {
  auto It = SizePowers.find(sizePowerKey(Task, Q));
  return It == SizePowers.end() ? 1 : It->second;
}

} // namespace extrapolation
} // namespace evenkeel
