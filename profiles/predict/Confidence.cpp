//===- Confidence.cpp - error bounds of task times ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Confidence.h. Bounds b of ln(predicted / true) become relative ones by
// e^b - 1. Errors of different parts are assumed to be independent: the bound
// is the root of the sum of squares.
//===----------------------------------------------------------------------===//
#include "Confidence.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

double relative(double Bound) {
  return std::min(figures().MostOff, std::expm1(Bound));
}

} // namespace

EstimateBounds::EstimateBounds(const PredictedTask &T) {
  std::vector<std::pair<uint32_t, uint32_t>> Order; // instance, place
  for (uint32_t I = 0; I < T.Estimates.size(); ++I)
    Order.emplace_back(T.Estimates[I].Instance, I);
  std::sort(Order.begin(), Order.end());
  // Of several estimates for an object the first counts.
  for (const auto &[Instance, I] : Order)
    if (Of.empty() || Of.back().first != Instance)
      Of.emplace_back(Instance, boundOf(T.Estimates[I]));
}

double EstimateBounds::in(uint32_t Instance) const {
  const auto It =
      std::lower_bound(Of.begin(), Of.end(), Instance,
                       [](const auto &E, uint32_t I) { return E.first < I; });
  // Otherwise lines of other tasks: write-backs, which do not stall.
  return It != Of.end() && It->first == Instance ? It->second : 0;
}

double evenkeel::timeBound(const PredictedTask &T,
                           const std::vector<double> &Fast, const Machine &M,
                           const Model &Mod,
                           const std::vector<double> &LatencyNs) {
  const double Core = T.Demand.CoreSeconds *
                      relative(coreBoundOf(T.Core, T.Estimates, T.CoreOff));
  const double Seconds = Mod.seconds(T.Demand, Fast, M, LatencyNs);
  double Squares =
      Core * Core + figures().ModelOff * Seconds * figures().ModelOff * Seconds;
  // Stall time is divided in proportion to exposed latencies.
  double All = 0;
  for (const UnitDemand &U : T.Demand.Units)
    All += U.Exposed;
  const double Stall = std::max(0.0, Seconds - T.Demand.CoreSeconds);
  const auto &Units = T.Demand.Units;
  const EstimateBounds Bounds(T);
  for (size_t U = 0; U < Units.size() && All > 0;) {
    const uint32_t Object = Units[U].Object;
    double Sum = 0;
    for (; U < Units.size() && Units[U].Object == Object; ++U)
      Sum += Units[U].Exposed;
    const double Off = Sum / All * Stall * relative(Bounds.in(Object));
    Squares += Off * Off;
  }
  return std::sqrt(Squares);
}
