//===- Linear.h - Tahoe's interpolation between two placements --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: T(x) = (T_slow - T_fast) n_slow(x) / n_total + T_fast (Wu et al., SC
// 2018, partial placement): every main-memory access counts the same,
// regardless of overlap. T_slow and T_fast, the times of the two complete
// placements, are those of the overlap model.
// Not here: Tahoe's learned T_fast (Complete.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_LINEAR_H
#define EVENKEEL_PROFILES_MODELS_LINEAR_H

#include "Model.h"

namespace evenkeel {

class LinearModel : public Model {
public:
  std::string name() const override { return "linear"; }
  double seconds(const TaskDemand &T, const std::vector<double> &FastShare,
                 const Machine &M,
                 const std::vector<double> &LatencyNs) const override;
  void gains(const TaskDemand &T, const Machine &M,
             const std::vector<double> &LatencyNs,
             std::vector<double> &Out) const override;
};

} // namespace evenkeel

#endif
