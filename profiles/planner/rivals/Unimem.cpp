//===- Unimem.cpp - Unimem: a knapsack per phase, or one for all ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Wu et al., "Unimem", SC 2017 (arXiv 1705.00249): per phase, each data
// object has a benefit from being in fast memory. The bandwidth while it is
// used shows its sensitivity: above 80 % of the slow tier's bandwidth, to
// bandwidth (bytes / slow bandwidth - bytes / fast bandwidth); below 10 %, to
// latency (reads * the difference of latencies); in between the larger of both
// counts. The cost is that of the copy, minus its overlap with the previous
// phase. A knapsack per phase (local search) and one over all phases (global
// search) are compared by predicted gain, and the better one is used. Large
// objects are cut into parts that are placed independently. The knapsack is
// filled by weight per byte, not by dynamic programming. Parameters: high, low:
// the two limits; factor: a constant for the latency benefit, which the paper
// calibrates with a pointer chase.
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <numeric>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"high", 0.8, {0.8}, "of slow bandwidth: bandwidth-sensitive above"},
      {"low", 0.1, {0.1}, "of slow bandwidth: latency-sensitive below"},
      {"factor", 1, {0.1, 0.3, 1}, "on the latency benefit"}};
  return T;
}

namespace {

class Unimem : public Planner {
  const double High, Low, Factor;

  /// Seconds that each unit saves in phase \p H when it is fast.
  std::vector<double> benefits(const Problem &P, const PredictedPhase &H,
                               const Machine &M, const Model &Mod) const {
    const Tier &F = M.Tiers.front(), &S = M.Tiers.back();
    std::vector<double> None(P.Units.size(), 0);
    const double PhaseNs = phaseSeconds(H, None, M, Mod) * 1e9;
    std::vector<double> Reads(None), Writes(None), Exposed(None);
    double AllNs = 0;
    for (const PredictedTask &T : H.Tasks) {
      AllNs += T.Demand.CoreSeconds * 1e9;
      for (const UnitDemand &D : T.Demand.Units) {
        Reads[D.Unit] += D.ReadLines;
        Writes[D.Unit] += D.WriteLines;
        Exposed[D.Unit] += D.Exposed;
        AllNs += D.Exposed * S.ReadLatencyNs;
      }
    }
    std::vector<double> Out(None);
    const double Tasks = double(std::max<size_t>(1, H.Tasks.size()));
    for (size_t U = 0; U < Out.size(); ++U) {
      double Bytes = (Reads[U] + Writes[U]) * LineBytes;
      if (Bytes <= 0 || AllNs <= 0)
        continue;
      // The time in which samples would see the object in use.
      double UsedNs = Exposed[U] * S.ReadLatencyNs / AllNs * PhaseNs;
      double Share = UsedNs > 0 ? Bytes / UsedNs / S.ReadBandwidthGBps : 1;
      double ByBandwidth =
          Bytes / S.ReadBandwidthGBps - Bytes / F.ReadBandwidthGBps;
      double ByLatency =
          Factor * Reads[U] * (S.ReadLatencyNs - F.ReadLatencyNs) / Tasks;
      Out[U] = 1e-9 * (Share >= High ? ByBandwidth
                       : Share < Low ? ByLatency
                                     : std::max(ByBandwidth, ByLatency));
    }
    return Out;
  }

  static std::vector<uint32_t> byWeight(const Problem &P,
                                        const std::vector<double> &W) {
    std::vector<uint32_t> Order;
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (W[U] > 0)
        Order.push_back(U);
    std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
      double VA = W[A] * P.Units[B].Bytes, VB = W[B] * P.Units[A].Bytes;
      return VA != VB ? VA > VB : A < B;
    });
    return Order;
  }

public:
  Unimem(double High, double Low, double Factor)
      : High(High), Low(Low), Factor(Factor) {}
  std::string name() const override { return "unimem"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    const size_t N = P.Units.size(), Phases = P.Phases.size();
    std::vector<double> Sum(N, 0), None(N, 0);
    std::vector<std::vector<double>> Wishes(Phases);
    // A unit about which no phase has decided yet is placed when it is
    // allocated, at no cost.
    std::vector<bool> Resident(N, false), Known(N, false);
    double LocalGain = 0, BeforeSeconds = 0;
    for (size_t H = 0; H < Phases; ++H) {
      const PredictedPhase &X = P.Phases[H];
      std::vector<double> B = benefits(P, X, M, Mod), Weight = B;
      for (size_t U = 0; U < N; ++U) {
        Sum[U] += B[U];
        if (!Resident[U] && Known[U] && B[U] > 0)
          Weight[U] -=
              std::max(0.0, moveSeconds(M, P.Units[U].Bytes) - BeforeSeconds);
      }
      if (std::all_of(B.begin(), B.end(), [](double V) { return V <= 0; })) {
        BeforeSeconds += phaseSeconds(X, None, M, Mod);
        continue;
      }
      std::vector<double> &Wish = Wishes[H];
      Wish.assign(N, 0);
      double Left = P.FastBytes;
      double Overlap = BeforeSeconds;
      for (uint32_t U : byWeight(P, Weight)) {
        if (!isLive(P.Instances[P.Units[U].Instance], X.Phase) ||
            P.Units[U].Bytes > Left)
          continue;
        double Gain = B[U];
        if (!Resident[U] && Known[U]) {
          // Copies are made one after the other, so they share the overlap.
          double Cost = moveSeconds(M, P.Units[U].Bytes);
          Gain -= std::max(0.0, Cost - Overlap);
          Overlap = std::max(0.0, Overlap - Cost);
          if (Gain <= 0)
            continue;
        }
        LocalGain += Gain;
        Wish[U] = 1;
        Left -= P.Units[U].Bytes;
      }
      for (size_t U = 0; U < N; ++U) {
        Resident[U] = Wish[U] > 0;
        Known[U] =
            Known[U] || P.Instances[P.Units[U].Instance].AllocPhase <= X.Phase;
      }
      BeforeSeconds = phaseSeconds(X, None, M, Mod);
    }
    Placement Global;
    Global.FastShare.assign(N, 0);
    double GlobalGain = 0;
    Room Time(P);
    for (uint32_t U : byWeight(P, Sum))
      if (Time.takeAll({U})) {
        Global.FastShare[U] = 1;
        GlobalGain += Sum[U];
      }
    return LocalGain > GlobalGain ? scheduleOf(P, Wishes) : Global;
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<Unimem>(settingOf(S, tunables(), "high"),
                                  settingOf(S, tunables(), "low"),
                                  settingOf(S, tunables(), "factor"));
}

EK_RIVAL(Unimem, "unimem", nullptr, make, tunables)
