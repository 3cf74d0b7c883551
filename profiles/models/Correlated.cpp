//===- Correlated.cpp - two complete placements and a learned bend --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see Correlated.h.
//===----------------------------------------------------------------------===//
#include "Correlated.h"
#include "Events.h"
#include "Linear.h"

using namespace evenkeel;

double CorrelatedModel::seconds(const TaskDemand &T,
                                const std::vector<double> &FastShare,
                                const Machine &M,
                                const std::vector<double> &LatencyNs) const {
  double Share = fastLineShare(T, FastShare), Left = 1 - Share;
  if (Share > 0 && Share < 1) { // the ends are what they are
    std::vector<double> X = taskEvents(T, M);
    X.push_back(Share);
    Left = GapLeft(X);
  }
  return T.CoreSeconds + 1e-9 * exposedReads(T) *
                             (LatencyNs.front() +
                              Left * (LatencyNs.back() - LatencyNs.front()));
}

void CorrelatedModel::gains(const TaskDemand &T, const Machine &M,
                            const std::vector<double> &LatencyNs,
                            std::vector<double> &Out) const {
  // All units together save the whole gap; which one comes first decides how
  // much, so each gets what its lines are worth on the straight line.
  LinearModel().gains(T, M, LatencyNs, Out);
}
