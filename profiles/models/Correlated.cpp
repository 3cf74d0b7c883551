//===- Correlated.cpp - complete placements, joined by a curve ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Correlated.h.
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
  if (Share > 0 && Share < 1) { // the ends are exact
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
  // All units together save the whole gap. How much each of them saves depends
  // on their order, so each gets its value in the linear model.
  LinearModel().gains(T, M, LatencyNs, Out);
}
