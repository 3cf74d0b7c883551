//===- here.h - the machine that a run is on --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether this computer's tiers are those that a plan was made for; and
// that the planner's own memory is slow memory.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_HERE_H
#define EVENKEEL_RUNTIME_HERE_H

#include "format/Machine.h"
#include "providers/provider.h"

namespace evenkeel {

/// New memory of this thread is slow memory.
struct SlowMemory {
  SlowMemory() {
    if (ek_provider_now->prefer)
      ek_provider_now->prefer(ek_tier_count - 1);
  }
  ~SlowMemory() {
    if (ek_provider_now->prefer)
      ek_provider_now->prefer(EK_MAX_TIERS);
  }
};

/// Whether the tiers are those of \p M. What firmware does not tell of a node
/// is taken to be so.
bool isThis(const Machine &M);

} // namespace evenkeel

#endif
