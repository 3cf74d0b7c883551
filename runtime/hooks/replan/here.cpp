//===- here.cpp - the machine of this run ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See here.h.
//===----------------------------------------------------------------------===//
#include "hooks/replan/here.h"
#include "core/tuning.h"

#include <algorithm>
#include <cmath>

namespace evenkeel {

bool isThis(const Machine &M) {
  auto Alike = [](double A, double B, double Within) {
    return A <= 0 || B <= 0 || std::fabs(A - B) <= Within * std::max(A, B);
  };
  if (ek_provider_now->moves_at_once || M.Tiers.size() != ek_tier_count)
    return false;
  for (unsigned T = 0; T < ek_tier_count; ++T) {
    const ek_tier &Here = ek_tiers[T], &First = ek_tiers[0];
    const double Slower =
        First.latency_ns > 0 ? Here.latency_ns / First.latency_ns : 0;
    if (!Here.bytes ||
        !Alike(double(Here.bytes), double(M.Tiers[T].CapacityBytes),
               EK_SAME_SIZE) ||
        !Alike(Slower, M.Tiers[T].ReadLatencyNs / M.Tiers[0].ReadLatencyNs,
               EK_SAME_LATENCY))
      return false;
  }
  return true;
}

} // namespace evenkeel
