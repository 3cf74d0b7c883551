//===- PolicyRuns.h - replays under one policy after another ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which plan each policy carries out, and the predictions for it.
// Makes: the results of replays, and predicted against replayed times.
// Not here: options, and output (commands/Simulate.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_POLICYRUNS_H
#define EVENKEEL_UTILS_CLI_POLICYRUNS_H

#include "HookPolicy.h"
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

/// The settings of a policy, or of its planner.
const std::vector<Tunable> &tunablesOf(const std::string &Policy);

/// An amount of fast memory, as the user wrote it.
struct FastAmount {
  std::string Asked; // "25%", "16GiB"
  uint64_t Bytes = 0;
};

/// The run to replay, and what planners know about it.
struct JudgedRun {
  MissRecord Record;
  std::unique_ptr<PreparedRecord> Prepared; // of Record, which must not move
  Machine M;
  Machine Believed;                 // the planner's idea of the machine
  std::vector<FastAmount> Amounts;  // rising; at least one
  uint64_t FastBytes = 0;           // the amount to replay with
  std::optional<Plan> Given;        // the plan to carry out
  std::optional<PlanInputs> In;     // or the inputs of plans
  std::optional<PlanInputs> Prefix; // and the prefix of this run
  bool OtherRanks = false;          // plans are for another number of ranks
};

struct PolicyChoice {
  std::vector<std::string> Policies;
  std::map<std::string, Settings> Set; // by canonical name
  std::vector<std::string> Shares; // fast shares of each object to predict for
  HookSight Hooks;                 // what hooks see
  bool Tune = false;               // also replay each point of the grids
  bool ProfileOfTarget = false;    // also plan from the run itself
  bool Quiet = false;              // no progress on stderr
};

struct PolicyRuns {
  std::vector<PolicyResult> Results, Placed;
  /// Predictions of policies, and of all models under fixed placements; they
  /// point into Results.
  std::vector<PredictedPolicy> Predictions, ByModel;
  nlohmann::json Tuning = nlohmann::json::object();
  std::map<std::string, bool> KeptFirstTouch; // for our policies
  std::vector<DecidedPart> Decided;           // at hooks of ours
  std::shared_ptr<const FirstPlan> First; // our plan before the run, if planned
};

/// Replays \p J under all policies of \p C. Prints on stderr what failed at
/// hooks.
PolicyRuns playPolicies(const JudgedRun &J, const PolicyChoice &C);

} // namespace evenkeel::cli

#endif
