//===- PlanJson.h - plan --json ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.prediction/1": what a plan is expected to bring, with the
// time of every task, phases that repeat as groups, and per object its
// accesses, its gain, and why.
// Not here: tables for people (PlanTables.h), and plan.json (format/plan).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANJSON_H
#define EVENKEEL_UTILS_CLI_PLANJSON_H

#include "PhaseGroups.h"
#include "PlanDemands.h"
#include "planner/Outlook.h"
#include "predict/symbols/Ungiven.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// \p P and \p Pr as made by makePlan for \p M.
nlohmann::json planJson(const Facts &F, const Plan &P, const Problem &Pr,
                        const Machine &M, const Outlook &Ahead);

nlohmann::json ungivenJson(const std::vector<UngivenSymbol> &All);

/// The gain of an object over all its entries in a plan, and its effect where
/// it is largest.
struct ObjectGain {
  double Seconds = 0;
  std::optional<PlanEffect> Effect;
  std::string Reason; // of the entry with most bytes
  double Bytes = 0;
};
std::map<ObjectName, ObjectGain> gainsOf(const Plan &P, const Problem &Pr,
                                         const PlannedObjects &Objects);

} // namespace evenkeel::cli

#endif
