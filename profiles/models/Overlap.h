//===- Overlap.h - core time plus exposed latencies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: T(x) = C + sum_u E_u ((1 - x_u) L_slow + x_u L_fast), where E_u counts
// reads in full latencies: overlapped reads share one (the memory-level
// parallelism is in E, from the base record). A pointer chase has E = reads, a
// stream a small part of them, so hotness and criticality stay apart.
// Not here: bandwidth, which is a property of the phase (models/Phase.cpp);
// write-backs, which no core waits for.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_OVERLAP_H
#define EVENKEEL_PROFILES_MODELS_OVERLAP_H

#include "Model.h"

namespace evenkeel {

class OverlapModel : public Model {
public:
  std::string name() const override { return "overlap"; }
  double seconds(const TaskDemand &T, const std::vector<double> &FastShare,
                 const Machine &M,
                 const std::vector<double> &LatencyNs) const override;
  void secondsByLatency(const TaskDemand &T,
                        const std::vector<double> &FastShare, const Machine &M,
                        double (&Out)[3]) const override;
  void gains(const TaskDemand &T, const Machine &M,
             const std::vector<double> &LatencyNs,
             std::vector<double> &Out) const override;
};

} // namespace evenkeel

#endif
