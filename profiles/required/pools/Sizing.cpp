//===- Sizing.cpp - how large a pool must be, from one large run ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sizing.h.
//===----------------------------------------------------------------------===//
#include "Sizing.h"
#include <algorithm>

namespace evenkeel::required {

Expected<SizedPool> sizePool(uint64_t Initial, uint64_t Beta,
                             const std::function<TrialRun(uint64_t)> &Run) {
  if (!Beta)
    return Error{"a pool cannot be sized with a beta of 0"};
  const TrialRun First = Run(Initial);
  if (!First.Fits)
    return Error{"the run does not fit in a pool of " +
                 std::to_string(Initial) + " bytes"};
  SizedPool Out{std::min(Initial, Initial - First.LeastSpare + Beta)};
  while (Out.Bytes < Initial && !Run(Out.Bytes).Fits) {
    ++Out.Failures;
    Out.Bytes = std::min(Initial, Out.Bytes + Beta);
  }
  return Out;
}

} // namespace evenkeel::required
