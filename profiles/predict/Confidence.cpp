//===- Confidence.cpp - error bounds of task times ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Confidence.h. Bounds b of |ln(true / predicted)| become relative ones by
// e^b - 1: a time that is predicted too short may be off by more than its own
// length.
//===----------------------------------------------------------------------===//
#include "Confidence.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace evenkeel;

namespace {

/// The share of the time by kind, from the best to the worst.
template <typename Kind, unsigned Kinds> class Shares {
  double Of[Kinds] = {};

public:
  void add(Kind K, double Share) { Of[unsigned(K)] += Share; }
  /// The worst kind that, with what is worse, has enough of the time.
  Kind worst() const {
    double Sum = 0;
    for (unsigned K = Kinds; K-- > 1;)
      if ((Sum += Of[K]) >= TellingShareOfTime)
        return Kind(K);
    return Kind(0);
  }
};

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

Basis evenkeel::basisOf(const PredictedTask &T, double Seconds) {
  Basis Out;
  if (Seconds <= 0)
    return Out;
  Shares<Evidence, Evidences> Of;
  Shares<Reach, Reaches> How;
  const double Core = std::min(1.0, T.Demand.CoreSeconds / Seconds);
  Of.add(evidenceOf(T.Core, T.Estimates), Core);
  Out.Off = Core * T.CoreOff;
  // Stall time is divided in proportion to exposed latencies.
  double All = 0;
  std::map<uint32_t, double> Exposed; // by instance
  for (const UnitDemand &U : T.Demand.Units) {
    Exposed[U.Object] += U.Exposed;
    All += U.Exposed;
  }
  for (const Estimate &E : T.Estimates) {
    const auto It = Exposed.find(E.Instance);
    if (It == Exposed.end() || It->second <= 0)
      continue;
    const double Share = (1 - Core) * It->second / All;
    Of.add(evidenceOf(E), Share);
    How.add(reachOf(E), Share);
    Out.Off += Share * E.FitOff;
    Exposed.erase(It); // of several estimates for an object the first counts
  }
  Out.Of = Of.worst();
  Out.How = How.worst();
  return Out;
}

double evenkeel::timeBound(const PredictedTask &T, double Seconds) {
  const Basis On = basisOf(T, Seconds);
  const double Bound = std::hypot(std::log1p(figures().ModelOff),
                                  On.Off + boundOf(On.Of, On.How));
  return Seconds * std::min(figures().MostOff, std::expm1(Bound));
}
