//===- PlanEntries.h - a fast reader of a plan's entries --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every process that runs under a plan reads it, even one with many
// objects. Entries in the form that planToJson writes are read in one pass over
// the text, and the data for planning again is skipped.
// Not here: other forms, and errors; readPlan's general reader handles these.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLANENTRIES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLANENTRIES_H

#include "Plan.h"

namespace evenkeel {

/// Moves the entries of "objects" out of \p Text into \p Objects; without \p
/// Reasons, reasons are dropped. False, with nothing changed, if the text does
/// not have the expected form.
bool takePlanEntries(std::string &Text, std::vector<PlanObject> &Objects,
                     bool Reasons);

/// Moves the value of "replan", which is on one line, out of \p Text and
/// replaces it by null. Checks only that the value begins and ends like an
/// object. False: nothing is changed.
bool takePlanReplan(std::string &Text, std::string &Value);

} // namespace evenkeel

#endif
