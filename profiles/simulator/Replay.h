//===- Replay.h - a miss record on a machine file ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to replay a MissRecord under a policy: virtual cores, interval
// timing per quantum, loaded latency and bandwidth shared by concurrent tasks,
// page migration cost. Deterministic: the same numbers on every computer.
// Not here: models and planners; replay shares no code with them (a test of the
// link proves it). TLB misses and coherence misses are not modelled.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_REPLAY_H
#define EVENKEEL_PROFILES_SIMULATOR_REPLAY_H

#include "Policy.h"
#include "format/Machine.h"
#include "format/Settings.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// A record that is checked and indexed once for many replays
/// (PreparedRecord.h).
struct PreparedRecord;

struct PolicyResult {
  std::string Name;
  double MakespanSeconds = 0;
  double Acv = 0;
  double BarrierWaitSeconds = 0;
  double FastAccessShare = 0;
  uint64_t MigratedBytes = 0;                   // in any direction
  uint64_t PromotedBytes = 0, DemotedBytes = 0; // to faster, to slower tiers
  uint64_t Faults = 0, Samples = 0; // for the policy, charged to tasks
  uint64_t PeakFastBytes = 0;
  uint64_t RefusedBytes = 0; // did not fit in the wanted tier
  /// Intervals whose contention did not converge (0 for sensible curves).
  uint64_t UnsettledEvents = 0;
  std::vector<TaskResult> Tasks;
  std::vector<double> PhaseSeconds;
  std::optional<OracleReport> Oracle; // of `oracle` only
};

struct ReplayRequest {
  const MissRecord *Record = nullptr;
  const Machine *M = nullptr;
  uint64_t FastBytes = 0;
  const Plan *P = nullptr; // for policies that carry out a plan
  /// Index of *Record, shared by many replays; null = made in each call.
  const PreparedRecord *Prepared = nullptr;
  /// Values of the policy's settings; others have their defaults.
  Settings Tuned = {};
};

/// A row of Policies.def.
struct PolicyInfo {
  const char *Name;
  enum KindType { Bound, System, Planner, Ours } Kind;
  const char *Does, *Source;
};
const std::vector<PolicyInfo> &allPolicies();
/// The names used in tables, in order.
std::vector<std::string> policyNames();
/// The name behind an alias (`merchandiser` is `greedy-5`), or \p Name.
std::string canonicalPolicy(const std::string &Name);
/// Whether the policy carries out a planner's plan, or starts from one.
bool needsPlan(const std::string &Name);
/// The planner of the plan that the policy carries out or starts from, if it
/// needs one.
std::string policyPlanner(const std::string &Name);
/// Whether it uses access counts of single pages. Sampled records do not have
/// these, so makePolicy returns an error for them.
bool watchesPages(const std::string &Name);
/// The settings of a policy that this library implements, with the grid for
/// tuning; empty for planners' policies and those without parameters.
const std::vector<Tunable> &policyTunables(const std::string &Name);
/// A policy serves one replay. Errors: an unknown name (lists the names), an
/// unknown setting, a planner's name without a plan by this planner, a
/// malformed record. `oracle` searches in this call, with a bounded number of
/// replays.
Expected<std::unique_ptr<Policy>> makePolicy(const std::string &Given,
                                             const ReplayRequest &R);
/// Replays the record under \p P. Errors: a malformed record or machine.
Expected<PolicyResult> replay(const ReplayRequest &R, Policy &P);

/// The peak of live bytes over the phases of a record.
uint64_t recordedPeakBytes(const Profile &R);

} // namespace evenkeel

#endif
