//===- SamplingPolicy.h - policies that sample accesses ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one access in a fixed number of misses is sampled, write-backs too,
// and the policy decides at fixed intervals what moves. Not here: what it makes
// of the samples.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SAMPLINGPOLICY_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SAMPLINGPOLICY_H

#include "SystemPolicy.h"
#include <algorithm>

namespace evenkeel {

class SamplingPolicy : public SystemPolicy {
protected:
  const double Period, IntervalNs; // misses per sample
  const bool Loads;                // also measures the tiers' load

  SamplingPolicy(double Period, double IntervalUs, bool Loads = false)
      : Period(std::max(1.0, Period)),
        IntervalNs(std::max(1.0, IntervalUs) * Us), Loads(Loads) {}

public:
  Watch watch() const override {
    Watch W;
    W.TickNs = IntervalNs;
    W.SamplePeriod = Period;
    W.SampleWrites = true;
    W.Loads = Loads;
    return W;
  }
};

} // namespace evenkeel

#endif
