//===- HookPolicy.h - a planner asked again at every hook -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: from what is known at a hook (HookWatch.h), the facts and the base
// profile it predicts the phases to come, plans anew, places later objects by
// the new plan, and moves pages only where the predicted gain exceeds what is
// lost with a margin.
// Makes: also the *hook* predictions of task times, each made at the last hook
// before its phase, or when an object of unexpected size is allocated in it.
// Not here: anything recorded of phases to come. It is glue between planner and
// simulator, which know nothing of each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKPOLICY_H
#define EVENKEEL_UTILS_CLI_HOOKPOLICY_H

#include "HookWatch.h"
#include "simulator/PreparedRecord.h"
#include <memory>

namespace evenkeel::cli {

/// Re-plans at hooks; see above.
class HookPolicy : public Policy {
public:
  virtual const TaskTimes &predicted() const = 0;
  /// Why a plan made anew could not replace the one in force, and how often.
  virtual const std::map<std::string, unsigned> &failed() const = 0;
  /// Every plan so far kept first touch.
  virtual bool keptFirstTouch() const = 0;
  /// What it decided that a user should know, one line each.
  virtual std::vector<std::string> notes() const = 0;
};

/// The plan before the run, and the prediction that it was made from.
struct FirstPlan {
  Plan Its;
  Problem From;
};

/// \p Q makes the first plan, unless \p Made is what it made, and, with sizes,
/// times and samples filled in, each later one; its members and \p R must
/// outlive the policy, named \p Q.Planner. Without \p Sampling the machine
/// reports no addresses.
Expected<std::unique_ptr<HookPolicy>>
makeHookPolicy(const PlanRequest &Q, const ReplayRequest &R,
               bool Sampling = true, const FirstPlan *Made = nullptr);

} // namespace evenkeel::cli

#endif
