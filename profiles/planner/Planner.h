//===- Planner.h - from facts and a base profile to a plan ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the input and output of planners, the planners by name, and
// `makePlan`, which predicts the target (predict/), lets a planner place its
// units, and writes the result as a Plan.
// Not here: the simulator; planners never see the target's own record.
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
  /// Whether the planner accepts fixed objects (Fixed.h); otherwise its problem
  /// does not contain them.
  virtual bool knowsFixed() const { return false; }
};

/// Errors: an unknown name (the message lists the names), a setting that the
/// planner does not have. `merchandiser` is `greedy-5`, `soar` is `aol`.
Expected<std::unique_ptr<Planner>> makePlanner(const std::string &Name,
                                               const Settings &Tuned = {});
std::vector<std::string> plannerNames();
/// The planner's tunables, and the grid that tuning searches.
const std::vector<Tunable> &plannerTunables(const std::string &Name);

/// The plan for \p Place; \p P as made by TargetPredictor.
Plan planOf(const PlanRequest &R, const Problem &P, const Model &Mod,
            const Placement &Place);
/// The same without times, gains, reasons and the data for planning again: only
/// what is needed to carry it out.
Plan layoutOf(const PlanRequest &R, const Problem &P, const Model &Mod,
              const Placement &Place);

/// \p Out, if given, receives the prediction.
Expected<Plan> makePlan(const PlanRequest &Request, Problem *Out = nullptr);

/// Plan::ReplanJson for a plan from which the run can plan again
/// (format/Replan.h).
std::string replanOf(const PlanRequest &R, const Plan &Made);

} // namespace evenkeel

#endif
