//===- HookPolicy.h - a planner asked again at every hook -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the runtime knows where all tasks wait: which objects exist by
// now and how large they really are. From that, the facts and the base profile
// it plans anew, places later objects by the new plan, and moves pages only
// where the predicted gain exceeds the cost of the copy with a margin.
// Leaves out: anything recorded of phases to come. It is glue between planner
// and simulator, which know nothing of each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKPOLICY_H
#define EVENKEEL_UTILS_CLI_HOOKPOLICY_H

#include "planner/Planner.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include <memory>

namespace evenkeel::cli {

/// \p Q makes the first plan and, with sizes filled in, each later one; its
/// members and \p R must outlive the policy. The name is the planner's with
/// "-hook" behind it.
Expected<std::unique_ptr<Policy>> makeHookPolicy(const PlanRequest &Q,
                                                 const ReplayRequest &R);

} // namespace evenkeel::cli

#endif
