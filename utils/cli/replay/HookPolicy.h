//===- HookPolicy.h - a planner that plans again at every hook --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: from the information at a hook (HookWatch.h), the facts and the base
// profile, it predicts the remaining phases, plans again, places later objects
// by the new plan, and moves pages only if the predicted gain exceeds the cost
// by a margin.
// Makes: also the *hook* predictions of task times, each made at the last hook
// before its phase, or when an object of unexpected size is allocated in it.
// Not here: recorded data of future phases. This connects planner and
// simulator, which do not know each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_HOOKPOLICY_H
#define EVENKEEL_UTILS_CLI_HOOKPOLICY_H

#include "HookWatch.h"
#include "simulator/PreparedRecord.h"
#include <memory>

namespace evenkeel::cli {

/// A hook places chunks [From, To) of an object anew before phase Phase: share
/// Share of them is to be fast, and share Was is.
struct DecidedPart {
  uint32_t Phase;
  InstanceName Object;
  unsigned From, To;
  double Was, Share;
};

/// What planning at hooks is based on, besides sizes and handed-over values.
struct HookSight {
  bool Times = false; // of tasks: the runtime with EVENKEEL_BALANCE=times
};

/// Plans again at hooks; see above.
class HookPolicy : public Policy {
public:
  virtual TaskTimes predicted() const = 0;
  /// The reasons why new plans could not replace the current one, with counts.
  virtual const std::map<std::string, unsigned> &failed() const = 0;
  /// Whether every plan so far kept first touch.
  virtual bool keptFirstTouch() const = 0;
  /// Notes for the user about its decisions, one line each.
  virtual std::vector<std::string> notes() const = 0;
  /// The decisions that moved something, in their order.
  virtual const std::vector<DecidedPart> &decided() const = 0;
};

/// The plan before the run, with the prediction it was made from.
struct FirstPlan {
  Plan Its;
  Problem From;
};

/// \p Q makes the first plan (unless \p Made contains it) and, with all that
/// \p Sees allows filled in, each later one; its members and \p R must outlive
/// the policy, which is named \p Q.Planner.
Expected<std::unique_ptr<HookPolicy>>
makeHookPolicy(const PlanRequest &Q, const ReplayRequest &R,
               const HookSight &Sees, const FirstPlan *Made = nullptr);

} // namespace evenkeel::cli

#endif
