//===- ReachedTiers.cpp - the tiers that data reaches ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReachedTiers.h.
//===----------------------------------------------------------------------===//
#include "ReachedTiers.h"

using namespace evenkeel;

Machine evenkeel::withoutUnreachedTiers(Machine M, double Bytes) {
  double Before = 0; // capacity of the tiers between the first and the last
  for (size_t K = 1; K + 1 < M.Tiers.size(); ++K)
    Before += double(M.Tiers[K].CapacityBytes);
  while (M.Tiers.size() > 2 && Bytes <= Before) {
    M.Tiers.pop_back();
    Before -= double(M.Tiers.back().CapacityBytes);
  }
  return M;
}
