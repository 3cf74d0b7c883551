//===- Sizing.h - how large a pool must be, from one large run --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Yang 2022, chapter 4: run once with a large pool, then
//   size = (initial - min over time of (highest available - lowest available))
//          + beta
// and where a run fails with that, beta again.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POOLS_SIZING_H
#define EVENKEEL_PROFILES_REQUIRED_POOLS_SIZING_H

#include "format/Error.h"
#include <cstdint>
#include <functional>

namespace evenkeel::required {

/// What a run with a pool of some size showed.
struct TrialRun {
  bool Fits = false;
  uint64_t LeastSpare = 0; // smallest Pool::spareBytes()
};

struct SizedPool {
  uint64_t Bytes = 0;
  unsigned Failures = 0; // sizes that were too small
};

/// \p Run is called with sizes from \p Initial on. Errors: the run with
/// \p Initial fails; \p Beta is 0.
Expected<SizedPool> sizePool(uint64_t Initial, uint64_t Beta,
                             const std::function<TrialRun(uint64_t)> &Run);

} // namespace evenkeel::required

#endif
