//===- Replan.h - a plan's data for planning again --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the "replan" member of plan.json: everything the first plan was made
// from, so that a run can plan again without any other file:
//   {"fast","planner","model","for":[[name,task|null,value],..],
//    "facts":{evenkeel.facts/1}, "machine":{evenkeel.machine/1},
//    "base":{rows, see ProfileJson.cpp}, "seen":{see SeenTypes.h; optional},
//    "fitted":{see FittedValues.h; optional},
//    "sizes":[[site,context,creator,ordinal,in_context,bytes],..] (optional),
//    "methods":{..}}
// or {"omitted":"why","methods":{..}} if that would be too large.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_REPLAN_H
#define EVENKEEL_PROFILES_FORMAT_REPLAN_H

#include "Facts.h"
#include "Machine.h"
#include "SeenTypes.h"
#include "format/plan/FittedValues.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <tuple>

namespace evenkeel {

struct ReplanData {
  Facts F;
  Profile Base;
  Machine M;
  std::string Fast, Planner, Model;
  /// Name, task and value of each `--for`.
  std::vector<std::tuple<std::string, std::optional<uint32_t>, double>> For;
  SeenTypes Seen = {};
  FittedValues Fitted = {};
  /// Bytes of objects, as earlier runs of the target had them.
  std::vector<std::pair<InstanceName, double>> Sizes = {};
};

/// The member's text; \p Methods is the plan's summary of its estimates.
std::string replanToJson(const ReplanData &D, const std::string &Methods);

/// \p Text is Plan::ReplanJson; \p Path appears in errors. Error if the plan
/// has no data for planning again (with the reason).
Expected<ReplanData> readReplan(const std::string &Text,
                                const std::string &Path);

} // namespace evenkeel

#endif
