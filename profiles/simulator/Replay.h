//===- Replay.h - a miss record on a machine file ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to replay a MissRecord under a policy: virtual cores, interval
// timing per quantum, loaded latency and bandwidth shared by the tasks that run
// together, page migration cost. Deterministic: same numbers on every machine.
// Not here: models and planners; it shares no code with them (a test of the
// link proves it). TLB misses and coherence misses are not modelled.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_REPLAY_H
#define EVENKEEL_PROFILES_SIMULATOR_REPLAY_H

#include "Policy.h"
#include "format/Machine.h"
#include "format/Tuning.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// A record checked and indexed once, for many replays (PreparedRecord.h).
struct PreparedRecord;

struct PolicyResult {
  std::string Name;
  double MakespanSeconds = 0;
  double Acv = 0;
  double BarrierWaitSeconds = 0;
  double FastAccessShare = 0;
  uint64_t MigratedBytes = 0;                   // all of them, in any direction
  uint64_t PromotedBytes = 0, DemotedBytes = 0; // to faster, to slower tiers
  uint64_t Faults = 0, Samples = 0; // taken for the policy, paid for by tasks
  uint64_t PeakFastBytes = 0;
  uint64_t RefusedBytes = 0; // wanted a tier, did not fit
  /// Intervals whose contention did not settle (0 unless a curve is absurd).
  uint64_t UnsettledEvents = 0;
  std::vector<TaskResult> Tasks;
  std::vector<double> PhaseSeconds;
  std::optional<OracleReport> Oracle; // of `oracle` only
};

struct ReplayRequest {
  const MissRecord *Record = nullptr;
  const Machine *M = nullptr;
  uint64_t FastBytes = 0;
  const Plan *P = nullptr; // for the policies that carry out a plan
  /// Index of *Record, made once for many replays; null = made on each call.
  const PreparedRecord *Prepared = nullptr;
  /// Values of the policy's tunables; those not named have their default.
  Settings Tuned = {};
};

/// A row of Policies.def.
struct PolicyInfo {
  const char *Name;
  enum KindType { Bound, System, Planner, Ours } Kind;
  const char *Does, *Source;
};
const std::vector<PolicyInfo> &allPolicies();
/// The names that design and papers use, in the order of tables.
std::vector<std::string> policyNames();
/// The name behind an alias (`merchandiser` is `greedy-5`); others as given.
std::string canonicalPolicy(const std::string &Name);
/// Whether the policy carries out a plan that a planner made.
bool needsPlan(const std::string &Name);
/// Whether it decides page by page, by what the record says of each: records of
/// sampled lines cannot tell, and makePolicy refuses.
bool watchesPages(const std::string &Name);
/// What can be tuned about a policy that this library makes itself, with the
/// grid that tuning walks; empty for planners' and parameterless policies.
const std::vector<Tunable> &policyTunables(const std::string &Name);
/// Policies are used for one replay each. Errors: an unknown name (lists the
/// names), a setting that the policy does not have, a planner's name without a
/// plan made by it, a malformed record (`oracle` searches here, with a bounded
/// number of replays).
Expected<std::unique_ptr<Policy>> makePolicy(const std::string &Name,
                                             const ReplayRequest &R);
/// Times \p P on the record. Errors: a malformed record or machine.
Expected<PolicyResult> replay(const ReplayRequest &R, Policy &P);

/// Peak of live bytes over the phases of a record.
uint64_t recordedPeakBytes(const Profile &R);

} // namespace evenkeel

#endif
