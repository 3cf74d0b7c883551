//===- Replay.h - a miss record on a machine file ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to replay a MissRecord under a policy: virtual cores, interval
// timing per quantum, loaded latency and bandwidth shared by the tasks that run
// together, page migration cost. Deterministic: same numbers on every machine.
// Leaves out: models and planners; it shares no code with them (a test of the
// link proves it). TLB misses and coherence misses are not modelled.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_REPLAY_H
#define EVENKEEL_PROFILES_SIMULATOR_REPLAY_H

#include "../format/Machine.h"
#include "../format/Plan.h"
#include "../format/Profile.h"
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

/// What writing down one sampled address costs its task: about 200 ns per
/// record of Intel's PEBS (Akiyama and Hirofuchi, ROSS 2017).
constexpr double SampleNs = 200;

/// Which tier each page of each instance lies in, with live accounting.
class PageMap;
/// A record checked and indexed once, for many replays (PreparedRecord.h).
struct PreparedRecord;

struct TaskResult {
  uint32_t Task = 0, Phase = 0, Index = 0;
  uint64_t Region = 0;
  double Seconds = 0;
  bool Explicit = false;  // explicit tasks and threads are numbered apart
  double CoreSeconds = 0; // of them not waiting for memory (a counter)
};

/// Where a task waited for memory, as processors report it: the addresses of
/// every so many loads that miss, weighed by their latency over the misses
/// outstanding with them (PEBS and offcore counters; SOAR, OSDI 2025).
struct SampledStall {
  uint32_t Task = 0; // row of the record
  uint32_t Instance = 0, Page = 0;
};

/// A policy sees only what its real counterpart would see at that moment.
class Policy {
public:
  virtual ~Policy() = default;
  virtual std::string name() const = 0;
  /// True for what-if policies whose fast tier is as large as they like.
  virtual bool ignoresCapacity() const { return false; }
  /// Instances allocated in one phase; a policy with priorities sorts them,
  /// and onAlloc follows that order. The order given is that of the record.
  virtual void orderAllocations(const PageMap &,
                                std::vector<uint32_t> &Instances) {}
  /// \p Instance was allocated. Set tiers of pages that the policy
  /// places at allocation; leave others to onFirstTouch.
  virtual void onAlloc(PageMap &, uint32_t Instance) {}
  /// First touch of a page; must return its tier if onAlloc left it open.
  virtual unsigned onFirstTouch(PageMap &, uint32_t Instance,
                                uint32_t Page) = 0;
  /// Every how many exposed latencies of a task of \p Phase one stall is to be
  /// reported; 0 = none. Each report costs the task SampleNs.
  virtual double samplePeriod(uint32_t Phase) { return 0; }
  /// What was reported in the phase that ended; before onPhaseEnd.
  virtual void onSamples(uint32_t Phase, const std::vector<SampledStall> &) {}
  /// All tasks of the program wait here; may ask for migrations.
  /// \p Tasks are the phase's, with their measured times.
  virtual void onPhaseEnd(PageMap &, uint32_t Phase,
                          const std::vector<TaskResult> &Tasks) {}
};

struct PolicyResult {
  std::string Name;
  double MakespanSeconds = 0;
  double Acv = 0;
  double BarrierWaitSeconds = 0;
  double FastAccessShare = 0;
  uint64_t MigratedBytes = 0;
  uint64_t PeakFastBytes = 0;
  uint64_t RefusedBytes = 0; // wanted a tier, did not fit
  /// Intervals whose contention did not settle (0 unless a curve is absurd).
  uint64_t UnsettledEvents = 0;
  std::vector<TaskResult> Tasks;
  std::vector<double> PhaseSeconds;
};

struct ReplayRequest {
  const MissRecord *Record = nullptr;
  const Machine *M = nullptr;
  uint64_t FastBytes = 0;
  const Plan *P = nullptr; // for the policies that carry out a plan
  /// Index of *Record, made once for many replays; null = made on each call.
  const PreparedRecord *Prepared = nullptr;
};

std::vector<std::string> policyNames();
/// Policies are used for one replay each. Errors: an unknown name (lists the
/// names), a planner's name without a plan made by it, a malformed record
/// (`oracle` searches here, with a bounded number of replays).
Expected<std::unique_ptr<Policy>> makePolicy(const std::string &Name,
                                             const ReplayRequest &R);
/// Times \p P on the record. Errors: a malformed record or machine.
Expected<PolicyResult> replay(const ReplayRequest &R, Policy &P);

/// Peak of live bytes over the phases of a record.
uint64_t recordedPeakBytes(const Profile &R);

} // namespace evenkeel

#endif
