//===- flatten.h - a plan as flat arrays ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime looks up entries while threads allocate, so it keeps a
// plan as sorted arrays rather than C++ containers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_FLATTEN_H
#define EVENKEEL_RUNTIME_FLATTEN_H

#include "format/plan/Plan.h"
#include "placement/plan.h"

namespace evenkeel {

/// The arrays of \p P, which are never freed. Throws std::bad_alloc.
ek_plan *flatten(const Plan &P);

} // namespace evenkeel

#endif
