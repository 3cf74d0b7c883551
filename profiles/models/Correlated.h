//===- Correlated.h - complete placements, joined by a curve ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Merchandiser's model (Xie et al., PPoPP 2023): the times of the two
// complete placements are joined by a correction f, which is learned from
// events and the share r of accesses that reach fast memory,
//   T(r) = T_slow (1 - r) f(events, r) + T_fast r.
// Here the learned function is the remaining share g of the gap,
//   T(r) = T_fast + (T_slow - T_fast) g(events, r),
// the same family with f = ((T_slow - T_fast) g + T_fast (1 - r)) /
// (T_slow (1 - r)), but g can be constrained to fall in r, from 1 to 0, so that
// more fast memory never makes a task slower. T_slow and T_fast are those of
// the overlap model.
// Not here: training (utils/train-model); the function (format/ModelFile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_CORRELATED_H
#define EVENKEEL_PROFILES_MODELS_CORRELATED_H

#include "Model.h"
#include "format/ModelFile.h"

namespace evenkeel {

class CorrelatedModel : public Model {
  TrainedFunction GapLeft; // of the events in Events.h and fast_share

public:
  explicit CorrelatedModel(TrainedFunction F) : GapLeft(std::move(F)) {}
  std::string name() const override { return "correlated"; }
  bool isAffineInShares() const override { return false; }
  double seconds(const TaskDemand &T, const std::vector<double> &FastShare,
                 const Machine &M,
                 const std::vector<double> &LatencyNs) const override;
  void gains(const TaskDemand &T, const Machine &M,
             const std::vector<double> &LatencyNs,
             std::vector<double> &Out) const override;
};

} // namespace evenkeel

#endif
