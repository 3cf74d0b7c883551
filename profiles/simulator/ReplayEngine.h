//===- ReplayEngine.h - replay that leaves its page map ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the inside of replay(), for the searching oracle, which starts from
// the page maps that other policies leave behind.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_REPLAYENGINE_H
#define EVENKEEL_PROFILES_SIMULATOR_REPLAYENGINE_H

#include "PageMap.h"
#include "PreparedRecord.h"
#include "Replay.h"

namespace evenkeel {

/// As replay(), with the index given; \p Tiers, if not null, gets the last tier
/// of each page (PageMap::Unplaced for pages never placed).
Expected<PolicyResult> replayPrepared(const PreparedRecord &R, const Machine &M,
                                      uint64_t FastBytes, Policy &P,
                                      std::vector<uint8_t> *Tiers = nullptr);

} // namespace evenkeel

#endif
