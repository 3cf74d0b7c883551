//===- Decompose.h - systematic and dynamic imbalance of ranks --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what an average rank waits at a collective for the slowest rank, and
// how much of that comes back each time. With t(r, k) the time of work of rank
// r before passage k, the wait is mean_k(max_r t - mean_r t). Its systematic
// share is what remains if each rank always takes its own mean; the rest is
// dynamic. The slowest rank is chosen in every second passage and valued in the
// others, so that chance hardly looks systematic. Not here: where the times
// come from (runtime/ranks/intervals.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_COLLECTIVES_DECOMPOSE_H
#define EVENKEEL_PROFILES_COLLECTIVES_DECOMPOSE_H

#include "format/inputs/Imbalance.h"
#include <map>

namespace evenkeel {

/// The work of one rank before passage Number (of all collectives, from 0).
struct WorkBefore {
  uint32_t Number = 0;
  uint64_t Sync = 0; // the collective
  double Seconds = 0;
};

struct Passages {
  uint64_t Times = 0;
  std::string Call; // as in CollectiveImbalance
};

struct RankWork {
  uint32_t Rank = 0;
  std::vector<WorkBefore> Samples; // by Number
  std::map<uint64_t, Passages> Collectives;
};

/// Passages that not all of \p Ranks have kept are left out. If ranks name a
/// collective differently, the first rank's name counts. A collective with less
/// than eight common samples is only counted (LeftOut).
Imbalance decomposeImbalance(const std::vector<RankWork> &Ranks);

} // namespace evenkeel

#endif
