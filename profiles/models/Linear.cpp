//===- Linear.cpp - Tahoe's interpolation between two placements ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the formula in Linear.h.
//===----------------------------------------------------------------------===//
#include "Linear.h"

using namespace evenkeel;

double LinearModel::seconds(const TaskDemand &T,
                            const std::vector<double> &FastShare,
                            const Machine &,
                            const std::vector<double> &LatencyNs) const {
  double Exposed = 0, Total = 0, Slow = 0;
  for (const UnitDemand &U : T.Units) {
    double N = U.ReadLines + U.WriteLines;
    Exposed += U.Exposed;
    Total += N;
    Slow += N * (1 - FastShare[U.Unit]);
  }
  double TSlow = T.CoreSeconds + 1e-9 * Exposed * LatencyNs.back();
  double TFast = T.CoreSeconds + 1e-9 * Exposed * LatencyNs.front();
  // Without main-memory accesses, both complete placements take the same time.
  return Total > 0 ? (TSlow - TFast) * (Slow / Total) + TFast : TFast;
}

void LinearModel::gains(const TaskDemand &T, const Machine &,
                        const std::vector<double> &LatencyNs,
                        std::vector<double> &Out) const {
  double Exposed = 0, Total = 0;
  for (const UnitDemand &U : T.Units) {
    Exposed += U.Exposed;
    Total += U.ReadLines + U.WriteLines;
  }
  double Gap = 1e-9 * Exposed * (LatencyNs.back() - LatencyNs.front());
  Out.clear();
  for (const UnitDemand &U : T.Units)
    Out.push_back(Total > 0 ? Gap * (U.ReadLines + U.WriteLines) / Total : 0);
}
