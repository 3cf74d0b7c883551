//===- ReplayEngine.h - replay that returns its page map --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the core of replay(), for the searching oracle, which starts from the
// final page maps of other policies.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_REPLAYENGINE_H
#define EVENKEEL_PROFILES_SIMULATOR_REPLAYENGINE_H

#include "PageMap.h"
#include "PreparedRecord.h"
#include "Replay.h"

namespace evenkeel {

/// Like replay(), for an index. If \p Tiers is not null, it is set to the last
/// tier of each page (PageMap::Unplaced for pages that were never placed).
Expected<PolicyResult> replayPrepared(const PreparedRecord &R, const Machine &M,
                                      uint64_t FastBytes, Policy &P,
                                      std::vector<uint8_t> *Tiers = nullptr);

} // namespace evenkeel

#endif
