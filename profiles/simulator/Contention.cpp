//===- Contention.cpp - tasks that share tiers, at one moment -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to solve for the durations in Contention.h: one tier after the
// other (Gauss-Seidel), each by Newton's method on a convex falling function
// from the left, which cannot overshoot. The order is fixed, so results are
// deterministic.
//===----------------------------------------------------------------------===//
#include "Contention.h"
#include <algorithm>
#include <cmath>

namespace evenkeel {

constexpr double Tolerance = 1e-11;
constexpr int MaxSweeps = 200, MaxNewton = 60;

MaybeError checkMachine(const Machine &M) {
  auto Bad = [&](const std::string &What) {
    return Error{"machine '" + M.Name + "' cannot be replayed on: " + What};
  };
  if (M.Tiers.size() < 2 || M.Tiers.size() > MaxTiers)
    return Bad("it has " + std::to_string(M.Tiers.size()) +
               " tiers, replay needs 2 to " + std::to_string(MaxTiers));
  if (!(M.GHz > 0))
    return Bad("ghz is not positive");
  for (size_t K = 0; K < M.Tiers.size(); ++K) {
    const Tier &T = M.Tiers[K];
    std::string At = "tiers[" + std::to_string(K) + "].";
    if (!(T.ReadLatencyNs >= 0))
      return Bad(At + "read_latency_ns is negative");
    if (!(T.ReadBandwidthGBps > 0) || !(T.WriteBandwidthGBps > 0))
      return Bad(At + "read_bandwidth_gbps and write_bandwidth_gbps must be "
                      "positive");
  }
  for (size_t I = 0; I < M.LoadedLatency.size(); ++I) {
    auto [U, F] = M.LoadedLatency[I];
    if (!(U >= 0) || !(F > 0) ||
        (I && (U <= M.LoadedLatency[I - 1].first ||
               F < M.LoadedLatency[I - 1].second)))
      return Bad("loaded_latency points must rise");
  }
  return {};
}

Contention::Contention(const Machine &M) {
  for (const Tier &T : M.Tiers)
    Tiers.push_back({T.ReadBandwidthGBps, T.WriteBandwidthGBps}); // GB/s = B/ns
  // A tier never exceeds its bandwidth, so the curve ends at utilisation 1.
  for (auto [U, F] : M.LoadedLatency) {
    if (U > 1 && !Curve.empty()) {
      auto [U0, F0] = Curve.back();
      if (U0 < 1)
        Curve.push_back({1, F0 + (F - F0) * (1 - U0) / (U - U0)});
      break;
    }
    Curve.push_back({U, F});
  }
  if (Curve.empty())
    Curve.push_back({1, 1});
}

/// The utilisation of tier K (the larger of both directions) at the latency
/// factor Factor, and its derivative if the factor grows by Slope.
double Contention::utilisation(const std::vector<const Demand *> &Running,
                               unsigned K, double Factor, double Slope,
                               double *Derivative) const {
  double Read = 0, Write = 0, ReadFall = 0, WriteFall = 0;
  for (size_t I = 0; I < Running.size(); ++I) {
    const Demand &D = *Running[I];
    double Rate = 1 / (Rest[I] + Factor * D.StallNs[K]);
    double Fall = D.StallNs[K] * Slope * Rate * Rate;
    Read += D.ReadBytes[K] * Rate;
    Write += D.WriteBytes[K] * Rate;
    ReadFall += D.ReadBytes[K] * Fall;
    WriteFall += D.WriteBytes[K] * Fall;
  }
  Read /= Tiers[K].ReadBw;
  Write /= Tiers[K].WriteBw;
  *Derivative = Read >= Write ? -ReadFall / Tiers[K].ReadBw
                              : -WriteFall / Tiers[K].WriteBw;
  return std::max(Read, Write);
}

/// The factor at which tier K has the utilisation that causes this factor. The
/// utilisation falls with the factor and the factor rises with the utilisation,
/// so there is exactly one.
double Contention::settleFactor(const std::vector<const Demand *> &Running,
                                unsigned K) const {
  double Ignored;
  if (utilisation(Running, K, Curve[0].second, 0, &Ignored) <= Curve[0].first)
    return Curve[0].second;
  for (size_t J = 0; J + 1 < Curve.size(); ++J) {
    auto [U0, F0] = Curve[J];
    auto [U1, F1] = Curve[J + 1];
    if (utilisation(Running, K, F1, 0, &Ignored) > U1)
      continue;
    double Slope = (F1 - F0) / (U1 - U0), U = U0;
    for (int N = 0; N < MaxNewton; ++N) {
      double Derivative;
      double Gap =
          utilisation(Running, K, F0 + Slope * (U - U0), Slope, &Derivative) -
          U;
      double Step = Gap / (1 - Derivative);
      U += Step;
      if (Step <= 1e-14)
        break;
    }
    return F0 + Slope * (std::min(U, U1) - U0);
  }
  return Curve.back().second;
}

/// The price per byte at which the tasks together move Bw bytes per ns; 0 if
/// they never reach that.
template <typename BytesOf>
static double settlePrice(size_t N, const std::vector<double> &Rest, double Bw,
                          double Guess, BytesOf Bytes) {
  double Free = 0, Price = 0;
  for (size_t I = 0; I < N; ++I)
    if (double B = Bytes(I)) {
      Free += B / Rest[I];
      // Up to this price, this task alone saturates the tier.
      Price = std::max(Price, 1 / Bw - Rest[I] / B);
    }
  if (Free <= Bw)
    return 0;
  auto Flow = [&](double P, double &Fall) {
    double Sum = 0;
    Fall = 0;
    for (size_t I = 0; I < N; ++I)
      if (double B = Bytes(I)) {
        double Rate = B / (Rest[I] + P * B);
        Sum += Rate;
        Fall += Rate * Rate;
      }
    return Sum;
  };
  double Fall;
  if (Guess > Price && Flow(Guess, Fall) >= Bw)
    Price = Guess;
  for (int Step = 0; Step < MaxNewton; ++Step) {
    double Gap = Flow(Price, Fall) - Bw;
    Price += Gap / Fall;
    if (Gap <= Bw * 1e-14)
      break;
  }
  return std::max(Price, 0.0);
}

bool Contention::solve(const std::vector<const Demand *> &Running,
                       std::vector<double> &Ns) {
  size_t N = Running.size(), TierCount = Tiers.size();
  Ns.assign(N, 0);
  Rest.resize(N);
  auto Term = [&](size_t I, unsigned K) {
    const TierState &T = Tiers[K];
    const Demand &D = *Running[I];
    return T.Factor * D.StallNs[K] + T.ReadPrice * D.ReadBytes[K] +
           T.WritePrice * D.WriteBytes[K];
  };
  // A femtosecond keeps rates finite in intervals with write-backs only.
  auto Core = [&](size_t I) { return std::max(Running[I]->CoreNs, 1e-6); };

  for (int Sweep = 0; Sweep < MaxSweeps; ++Sweep) {
    for (unsigned K = 0; K < TierCount; ++K) {
      TierState &T = Tiers[K];
      bool Used = false;
      for (size_t I = 0; I < N; ++I) {
        Rest[I] = Core(I);
        for (unsigned Other = 0; Other < TierCount; ++Other)
          if (Other != K)
            Rest[I] += Term(I, Other);
        Used |= Running[I]->ReadBytes[K] > 0 || Running[I]->WriteBytes[K] > 0;
      }
      if (!Used) { // stalls without bytes: idle latency
        T.Factor = Curve[0].second;
        T.ReadPrice = T.WritePrice = 0;
        continue;
      }
      T.Factor = settleFactor(Running, K);
      for (size_t I = 0; I < N; ++I)
        Rest[I] += T.Factor * Running[I]->StallNs[K] +
                   T.WritePrice * Running[I]->WriteBytes[K];
      double OldWrite = T.WritePrice;
      T.ReadPrice = settlePrice(N, Rest, T.ReadBw, T.ReadPrice, [&](size_t I) {
        return Running[I]->ReadBytes[K];
      });
      for (size_t I = 0; I < N; ++I)
        Rest[I] += T.ReadPrice * Running[I]->ReadBytes[K] -
                   OldWrite * Running[I]->WriteBytes[K];
      T.WritePrice =
          settlePrice(N, Rest, T.WriteBw, T.WritePrice,
                      [&](size_t I) { return Running[I]->WriteBytes[K]; });
    }
    double Change = 0;
    for (size_t I = 0; I < N; ++I) {
      double D = Core(I);
      for (unsigned K = 0; K < TierCount; ++K)
        D += Term(I, K);
      Change = std::max(Change, std::abs(D - Ns[I]) / D);
      Ns[I] = D;
    }
    if (Change <= Tolerance)
      return true;
  }
  return false;
}

} // namespace evenkeel
