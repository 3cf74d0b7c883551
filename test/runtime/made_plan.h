//===- made_plan.h - plans of tests, for the runtime ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: a plan's file, with the data from which a run can plan again, and the
// plan as the runtime reads it. Failures are failures of the test.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_MADE_PLAN_H
#define EVENKEEL_TEST_RUNTIME_MADE_PLAN_H

#include "format/File.h"
#include "placement/plan.h"
#include "planner/Planner.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

/// Plans for \p R and writes the plan to \p Path.
inline std::optional<evenkeel::Plan> planToFile(const evenkeel::PlanRequest &R,
                                                const std::string &Path) {
  evenkeel::Expected<evenkeel::Plan> P = evenkeel::makePlan(R);
  if (!P) {
    ADD_FAILURE() << P.message();
    return std::nullopt;
  }
  P->ReplanJson = evenkeel::replanOf(R, *P);
  if (evenkeel::MaybeError E =
          evenkeel::writeWholeFile(Path, evenkeel::planToJson(*P))) {
    ADD_FAILURE() << E->Message;
    return std::nullopt;
  }
  return std::move(*P);
}

/// The plan in \p Path as the runtime has it; null after a failure.
inline ek_plan *planOfFile(const std::string &Path) {
  char Why[512];
  ek_plan *Flat = ek_plan_read(Path.c_str(), Why, sizeof Why);
  if (!Flat)
    ADD_FAILURE() << Why;
  return Flat;
}

#endif
