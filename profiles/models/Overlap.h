//===- Overlap.h - core time plus exposed latencies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: T(x) = C + sum_u E_u ((1 - x_u) L_slow + x_u L_fast), where E_u is the
// number of exposed full latencies: overlapped reads share one latency (so E
// contains the memory-level parallelism of the base record). For a pointer
// chase E is the number of reads, for a stream a small part of it, which
// separates hotness from criticality.
// Not here: bandwidth, a property of the phase (models/Phase.cpp); write-backs,
// for which no core waits.
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
