//===- here.h - the machine of this run -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether this computer has the tiers that a plan was made for; and that
// the planner itself must not use fast memory.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_HERE_H
#define EVENKEEL_RUNTIME_HERE_H

#include "format/Machine.h"
#include "providers/provider.h"

namespace evenkeel {

/// While this exists, new memory of the thread comes from the slow tier.
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

/// Whether this computer's tiers are those of \p M. Properties that the
/// firmware does not report are taken as equal.
bool isThis(const Machine &M);

} // namespace evenkeel

#endif
