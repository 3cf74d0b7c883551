//===- flatten.h - a plan as flat arrays ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime looks up entries while threads allocate, so it has a plan
// as sorted arrays, without C++ containers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_FLATTEN_H
#define EVENKEEL_RUNTIME_FLATTEN_H

#include "format/plan/Plan.h"
#include "placement/plan.h"

namespace evenkeel {

/// Lives as long as the process. May throw where there is no memory.
ek_plan *flatten(const Plan &P);

} // namespace evenkeel

#endif
