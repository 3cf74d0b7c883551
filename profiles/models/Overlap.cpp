//===- Overlap.cpp - core time plus exposed latencies ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the formula in Overlap.h.
//===----------------------------------------------------------------------===//
#include "Overlap.h"

using namespace evenkeel;

double OverlapModel::seconds(const TaskDemand &T,
                             const std::vector<double> &FastShare,
                             const Machine &,
                             const std::vector<double> &LatencyNs) const {
  double Fast = 0, All = 0;
  for (const UnitDemand &U : T.Units) {
    All += U.Exposed;
    Fast += U.Exposed * FastShare[U.Unit];
  }
  return T.CoreSeconds +
         1e-9 * ((All - Fast) * LatencyNs.back() + Fast * LatencyNs.front());
}

void OverlapModel::secondsByLatency(const TaskDemand &T,
                                    const std::vector<double> &FastShare,
                                    const Machine &, double (&Out)[3]) const {
  double Fast = 0, All = 0;
  for (const UnitDemand &U : T.Units) {
    All += U.Exposed;
    Fast += U.Exposed * FastShare[U.Unit];
  }
  Out[0] = T.CoreSeconds;
  Out[1] = 1e-9 * Fast;
  Out[2] = 1e-9 * (All - Fast);
}

void OverlapModel::gains(const TaskDemand &T, const Machine &,
                         const std::vector<double> &LatencyNs,
                         std::vector<double> &Out) const {
  double Gain = 1e-9 * (LatencyNs.back() - LatencyNs.front());
  Out.clear();
  for (const UnitDemand &U : T.Units)
    Out.push_back(U.Exposed * Gain);
}
