//===- PolicyRuns.h - a run under one policy after another ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which plan each policy carries out, and what is predicted of it.
// Makes: what replays say, and predicted against replayed times.
// Not here: options, and how results are shown (commands/Simulate.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_POLICYRUNS_H
#define EVENKEEL_UTILS_CLI_POLICYRUNS_H

#include "PredictionReport.h"
#include "cli/planning/Planning.h"
#include "format/Machine.h"
#include "format/plan/Plan.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// Ours, planned anew at every hook with the sizes and times known there.
inline constexpr char HookName[] = "balanced";

/// The planner that makes the plans of a policy.
std::string plannerOf(const std::string &Policy);
/// The settings of a policy, or of its planner.
const std::vector<Tunable> &tunablesOf(const std::string &Policy);

/// What is replayed, and what planners know of it.
struct JudgedRun {
  MissRecord Record;
  std::unique_ptr<PreparedRecord> Prepared; // of Record, which must stay
  Machine M;
  Machine Believed; // what the planner takes the machine for
  uint64_t FastBytes = 0;
  std::optional<Plan> Given;        // that is carried out
  std::optional<PlanInputs> In;     // or what plans are made from
  std::optional<PlanInputs> Prefix; // and the beginning of this very run
  bool OtherRanks = false;          // plans are for another number of ranks
};

struct PolicyChoice {
  std::vector<std::string> Policies;
  std::map<std::string, Settings> Set; // by canonical name
  std::vector<std::string> Shares;     // of each object, to be predicted fast
  bool Samples = true;                 // hooks see sampled addresses
  bool Tune = false;                   // also each point of the grids
  bool ProfileOfTarget = false;        // also planned from the run itself
};

struct PolicyRuns {
  std::vector<PolicyResult> Results, Placed;
  /// Of policies, and of all models under placements; they point into the
  /// results.
  std::vector<PredictedPolicy> Predictions, ByModel;
  nlohmann::json Tuning = nlohmann::json::object();
  std::map<std::string, bool> KeptFirstTouch; // of ours
};

/// Replays \p J under all policies of \p C, and says on stderr what hooks
/// could not do.
PolicyRuns playPolicies(const JudgedRun &J, const PolicyChoice &C);

} // namespace evenkeel::cli

#endif
