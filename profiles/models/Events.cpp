//===- Events.cpp - inputs of trained models ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Events.h.
//===----------------------------------------------------------------------===//
#include "Events.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

const std::vector<std::string> &evenkeel::eventNames() {
  static const std::vector<std::string> Names = {
      "stall_share",   "overlap",        "write_share",   "lines_per_us",
      "latency_ratio", "slow_bandwidth", "fast_bandwidth"};
  return Names;
}

static double quotient(double A, double B) { return B > 0 ? A / B : 0; }

std::vector<double> evenkeel::taskEvents(const TaskDemand &T,
                                         const Machine &M) {
  const double Exposed = exposedReads(T);
  double Reads = 0, Writes = 0;
  for (const UnitDemand &U : T.Units) {
    Reads += U.ReadLines;
    Writes += U.WriteLines;
  }
  const Tier &Fast = M.Tiers.front(), &Slow = M.Tiers.back();
  auto Bandwidth = [&](const Tier &X) {
    double Seconds = T.CoreSeconds + 1e-9 * Exposed * X.ReadLatencyNs;
    double Busy =
        LineBytes * 1e-9 *
        std::max(Reads / X.ReadBandwidthGBps, Writes / X.WriteBandwidthGBps);
    return std::min(1.0, quotient(Busy, Seconds));
  };
  double Stall = 1e-9 * Exposed * Slow.ReadLatencyNs;
  std::vector<double> E = {
      quotient(Stall, T.CoreSeconds + Stall),
      std::log2(std::max(1.0, quotient(Reads, Exposed))),
      quotient(Writes, Reads + Writes),
      std::log2(1 + quotient(Reads + Writes, T.CoreSeconds * 1e6)),
      quotient(Fast.ReadLatencyNs, Slow.ReadLatencyNs),
      Bandwidth(Slow),
      Bandwidth(Fast)};
  for (double &V : E)
    if (!std::isfinite(V))
      V = 0;
  return E;
}

double evenkeel::exposedReads(const TaskDemand &T) {
  double Sum = 0;
  for (const UnitDemand &U : T.Units)
    Sum += U.Exposed;
  return Sum;
}

double evenkeel::fastLineShare(const TaskDemand &T,
                               const std::vector<double> &FastShare) {
  double All = 0, Fast = 0;
  for (const UnitDemand &U : T.Units) {
    All += U.ReadLines + U.WriteLines;
    Fast += (U.ReadLines + U.WriteLines) * FastShare[U.Unit];
  }
  return quotient(Fast, All);
}
