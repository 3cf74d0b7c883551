//===- Complete.cpp - the fast-only time, learned -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Complete.h.
//===----------------------------------------------------------------------===//
#include "Complete.h"
#include "Events.h"
#include <cmath>

using namespace evenkeel;

static double slowSeconds(const TaskDemand &T,
                          const std::vector<double> &LatencyNs) {
  return T.CoreSeconds + 1e-9 * exposedReads(T) * LatencyNs.back();
}

double CompleteModel::seconds(const TaskDemand &T,
                              const std::vector<double> &FastShare,
                              const Machine &M,
                              const std::vector<double> &LatencyNs) const {
  double Slow = slowSeconds(T, LatencyNs);
  double Share = fastLineShare(T, FastShare);
  // Without main-memory accesses, both times are equal.
  return Share > 0
             ? Slow *
                   (1 - Share * (1 - std::exp(LogFastToSlow(taskEvents(T, M)))))
             : Slow;
}

void CompleteModel::gains(const TaskDemand &T, const Machine &M,
                          const std::vector<double> &LatencyNs,
                          std::vector<double> &Out) const {
  double Lines = 0;
  for (const UnitDemand &U : T.Units)
    Lines += U.ReadLines + U.WriteLines;
  double Gap = slowSeconds(T, LatencyNs) *
               (1 - std::exp(LogFastToSlow(taskEvents(T, M))));
  Out.clear();
  for (const UnitDemand &U : T.Units)
    Out.push_back(Lines > 0 ? Gap * (U.ReadLines + U.WriteLines) / Lines : 0);
}
