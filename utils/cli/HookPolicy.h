//===- HookPolicy.h - a planner asked again at every hook -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the runtime knows where all tasks wait: which objects exist by
// now, how large they really are, how long the tasks took so far, and for which
// addresses they were sampled waiting. From that, the facts and the base
// profile it predicts the phases to come, plans anew, places later objects by
// the new plan, and moves pages only where the predicted gain exceeds what is
// lost with a margin. Makes: also the *hook* predictions of task times, each
// made at the last hook before its phase, or when an object of unexpected size
// is allocated in it. Leaves out: anything recorded of phases to come. It is
// glue between planner and simulator, which know nothing of each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKPOLICY_H
#define EVENKEEL_UTILS_CLI_HOOKPOLICY_H

#include "planner/Planner.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include <map>
#include <memory>
#include <tuple>

namespace evenkeel::cli {

/// Threads and explicit tasks of a phase are numbered apart.
using TaskKey = std::tuple<uint32_t, bool, uint32_t>; // phase, explicit, index
inline TaskKey taskKey(uint32_t Phase, uint32_t Index, bool Explicit) {
  return {Phase, Explicit, Index};
}

/// Re-plans at hooks; see above.
class HookPolicy : public Policy {
public:
  /// Predicted seconds.
  using Prediction = std::map<TaskKey, double>;
  virtual const Prediction &predicted() const = 0;
  /// Why a plan made anew could not replace the one in force, and how often.
  virtual const std::map<std::string, unsigned> &failed() const = 0;
  /// What it decided that a user should know, one line each.
  virtual const std::vector<std::string> &notes() const = 0;
};

/// \p Q makes the first plan and, with sizes, times and samples filled in, each
/// later one; its members and \p R must outlive the policy, named \p Q.Planner.
/// Without \p Sampling the machine reports no addresses.
Expected<std::unique_ptr<HookPolicy>> makeHookPolicy(const PlanRequest &Q,
                                                     const ReplayRequest &R,
                                                     bool Sampling = true);

} // namespace evenkeel::cli

#endif
