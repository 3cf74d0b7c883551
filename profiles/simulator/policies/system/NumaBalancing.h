//===- NumaBalancing.h - Linux's NUMA balancing for tiers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the promotion rule of NumaBalancing.cpp, which ALTO throttles.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_NUMABALANCING_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_NUMABALANCING_H

#include "HintFaults.h"
#include "format/Settings.h"

namespace evenkeel {

class NumaBalancing : public HintFaults {
public:
  NumaBalancing(const Config &C, double ThresholdNs);
  std::string name() const override { return "numa-balancing"; }

protected:
  bool promotes(System &S, uint64_t Page, double LatencyNs) override;
  void adjust(System &S) override;

private:
  const double Reference;
  double Threshold, LastAccepted = 0;
};

/// With the settings of \p Table, which include those of NUMA balancing.
std::unique_ptr<NumaBalancing>
makeNumaBalancing(const Settings &Tuned, const std::vector<Tunable> &Table);

} // namespace evenkeel

#endif
