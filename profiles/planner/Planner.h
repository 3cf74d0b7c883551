//===- Planner.h - from facts and a base profile to a plan ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a planner gets and gives, the planners by name, and `makePlan`,
// which predicts the target (predict/), lets a planner place its units, and
// writes down what comes out as a Plan.
// Leaves out: the simulator; the target's own record never comes here.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_PLANNER_H
#define EVENKEEL_PROFILES_PLANNER_PLANNER_H

#include "models/Model.h"
#include "models/shares/Planned.h"
#include "problem/Placement.h"
#include "problem/Request.h"
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

class Planner {
public:
  virtual ~Planner() = default;
  virtual std::string name() const = 0;
  virtual Placement place(const Problem &P, const Machine &M,
                          const Model &Mod) const = 0;
  /// Whether it knows of objects that nobody places (Fixed.h): else it is given
  /// a problem without them.
  virtual bool knowsFixed() const { return false; }
};

/// Errors: an unknown name (lists the names), a setting it does not have.
/// `merchandiser` is `greedy-5`, `soar` is `aol`.
Expected<std::unique_ptr<Planner>> makePlanner(const std::string &Name,
                                               const Settings &Tuned = {});
std::vector<std::string> plannerNames();
/// What can be tuned about a planner, and the grid that tuning walks.
const std::vector<Tunable> &plannerTunables(const std::string &Name);

/// The plan that carries \p Place out; \p P as predictTarget made it.
Plan planOf(const PlanRequest &R, const Problem &P, const Model &Mod,
            const Placement &Place);
/// The same without times, gains, reasons and what a re-plan needs: all that
/// carrying it out takes.
Plan layoutOf(const PlanRequest &R, const Problem &P, const Model &Mod,
              const Placement &Place);

Expected<Plan> makePlan(const PlanRequest &R, Problem *Out = nullptr);

/// Plan::ReplanJson for a plan that a program takes along (format/Replan.h).
std::string replanOf(const PlanRequest &R, const Plan &Made);

} // namespace evenkeel

#endif
