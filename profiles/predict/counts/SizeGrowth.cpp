//===- SizeGrowth.cpp - growth laws across objects of a site --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects of one site with several sizes on the base input show how a
// region's accesses to them (Y, by all tasks in phases that end at the same
// sync point) grow with their size S in bytes:
//   ln Y = d + p ln S                      a power: the exchange of the edges
//                                          of grids has a p near 1/2
//   Y^(1/k) = a (S^(1/k) + e), k = 2 or 3  a sweep over the inner points of
//                                          grids without e of their edges
// Makes: the growth by either law, if it is certain enough. Not here: growth by
// a formula (Ratios.cpp), or across tasks (PowerLaws.cpp).
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

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
    if (N < size_t(figures().GrowthPoints) ||
        Sxx < N * figures().GrowthSpread * figures().GrowthSpread)
      return std::nullopt;
    const double Slope = Sxy / Sxx,
                 Residual =
                     std::sqrt(std::max(0.0, Syy - Slope * Sxy) / (N - 2));
    if (Residual > figures().GrowthResidual ||
        Residual / std::sqrt(Sxx) > figures().GrowthError)
      return std::nullopt;
    return Slope;
  }
};

using Points = std::vector<std::pair<double, double>>; // bytes, accesses

/// The standard deviation of ln Y around \p Of.
template <typename F> double residual(const Points &All, F Of) {
  double Squares = 0, Sum = 0;
  for (auto [Bytes, Accesses] : All) {
    const double Off = std::log(Of(Bytes) / Accesses);
    Sum += Off;
    Squares += Off * Off;
  }
  const double N = double(All.size());
  return std::sqrt(std::max(0.0, Squares / N - Sum / N * Sum / N));
}

/// The edge of grids with \p K dimensions, by least squares of the relative
/// errors of Y^(1/K).
std::optional<double> edgeOf(const Points &All, unsigned K) {
  // a X + b = 1 with X = S^(1/K) / Y^(1/K), and 1 / Y^(1/K) for b.
  double XX = 0, XW = 0, WW = 0, X1 = 0, W1 = 0, Largest = 0;
  for (auto [Bytes, Accesses] : All) {
    const double W = std::pow(Accesses, -1.0 / K),
                 Side = std::pow(Bytes, 1.0 / K), X = Side * W;
    XX += X * X;
    XW += X * W;
    WW += W * W;
    X1 += X;
    W1 += W;
    Largest = std::max(Largest, Side);
  }
  const double Det = XX * WW - XW * XW;
  if (Det <= 0)
    return std::nullopt;
  const double A = (X1 * WW - W1 * XW) / Det, B = (W1 * XX - X1 * XW) / Det;
  if (A <= 0 || std::fabs(B / A) > figures().MostEdge * Largest)
    return std::nullopt;
  for (auto [Bytes, Accesses] : All)
    if (A * std::pow(Bytes, 1.0 / K) + B <= 0)
      return std::nullopt;
  return B / A;
}

} // namespace

double SizeGrowth::over(double Bytes, double Ratio) const {
  if (!Dimensions)
    return std::pow(Ratio, Power);
  const double Side = std::pow(Bytes, 1.0 / Dimensions),
               After = std::pow(Bytes * Ratio, 1.0 / Dimensions);
  if (Side + Edge <= 0 || After + Edge <= 0)
    return Ratio;
  return std::pow((After + Edge) / (Side + Edge), Dimensions);
}

static SizeGrowths::key_type growthKey(const Profile &B, uint32_t Task,
                                       const BaseDemand &Q) {
  const ek_raw_task &T = B.Tasks[Task];
  return {T.region, B.Phases[T.phase].sync, B.Instances[Q.Inst].site};
}

/// The growth law that fits \p All: edges of grids, or else a power.
static std::optional<SizeGrowth> fit(const Points &All) {
  Fit Of;
  for (auto [Bytes, Accesses] : All)
    Of.add(std::log(Bytes), std::log(Accesses));
  const std::optional<double> Power = Of.slope();
  if (!Power || *Power < 0 || *Power > figures().MostPower)
    return std::nullopt;
  if (std::fabs(*Power - 1) > figures().AboutOne)
    return SizeGrowth{*Power, 0, 0};
  const double Plain = residual(All, [](double Bytes) { return Bytes; });
  if (Plain < figures().EdgeOff)
    return std::nullopt;
  std::optional<SizeGrowth> Out;
  double Best = (1 - figures().EdgeExplained) * Plain;
  for (unsigned K : {2u, 3u})
    if (std::optional<double> Edge = edgeOf(All, K)) {
      const double Off = residual(All, [&](double Bytes) {
        return std::pow(std::pow(Bytes, 1.0 / K) + *Edge, K);
      });
      if (Off < Best) {
        Best = Off;
        Out = SizeGrowth{1, K, *Edge};
      }
    }
  return Out;
}

SizeGrowths evenkeel::prediction::fitSizeGrowths(const BaseTables &Base,
                                                 const DemandsOfTasks &Of) {
  const Profile &B = Base.B;
  // By object, so that repeated phases do not count as evidence.
  std::map<SizeGrowths::key_type, std::map<uint32_t, double>> Seen;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    for (const BaseDemand &Q : Of[T])
      if (Q.Accesses > 0 && double(B.Instances[Q.Inst].bytes) >= LargeBytes)
        Seen[growthKey(B, T, Q)][Q.Inst] += Q.Accesses * Base.times(T);
  SizeGrowths Out;
  for (const auto &[Key, ByInstance] : Seen) {
    Points All;
    for (auto [Inst, Accesses] : ByInstance)
      All.emplace_back(double(B.Instances[Inst].bytes), Accesses);
    if (std::optional<SizeGrowth> G = fit(All))
      Out[Key] = *G;
  }
  return Out;
}

std::optional<double>
evenkeel::prediction::growthBySize(const BaseTables &Base,
                                   const SizeGrowths &Growths, uint32_t Task,
                                   const BaseDemand &Q, double S) {
  auto It = Growths.find(growthKey(Base.B, Task, Q));
  if (It == Growths.end())
    return std::nullopt;
  return It->second.over(double(Base.B.Instances[Q.Inst].bytes), S);
}
