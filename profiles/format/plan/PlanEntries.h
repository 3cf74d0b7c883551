//===- PlanEntries.h - a plan's entries, read quickly -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: plans of many objects are read by every process that starts under
// them. Their entries, as planToJson writes them, take one pass over the text,
// and what only planning again reads takes none.
// Not here: texts that look otherwise, and everything that is wrong with
// entries: those are read, and errors found, by readPlan's general way.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLANENTRIES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLANENTRIES_H

#include "Plan.h"

namespace evenkeel {

/// Moves the entries of "objects" from \p Text, which then has none, to
/// \p Objects. False: nothing is changed, as something is not as it is written.
/// Without \p Reasons those are left out.
bool takePlanEntries(std::string &Text, std::vector<PlanObject> &Objects,
                     bool Reasons);

/// Moves the value of "replan", which is on one line, from \p Text, which then
/// has null there. False: nothing is changed. Nothing is said of the value but
/// that it begins and ends as an object does.
bool takePlanReplan(std::string &Text, std::string &Value);

} // namespace evenkeel

#endif
