//===- Policy.h - who decides where pages lie in a replay -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a policy sees, and when it is asked: allocations, first touches,
// sampled stalls, ends of phases, and, for policies that act while tasks run,
// ticks and faults.
// Not here: the policies (policies/), and who calls them (ReplayEngine.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICY_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// What writing down one sampled address costs its task: about 200 ns per
/// record of Intel's PEBS (Akiyama and Hirofuchi, ROSS 2017).
constexpr double SampleNs = 200;

/// Which tier each page of each instance lies in, with live accounting.
class PageMap;
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

/// What the operating system and the processor watch while tasks run, for a
/// policy that acts inside phases. Nothing is watched, and nothing is paid for,
/// unless asked for here.
struct Watch {
  double TickNs = 0;         // onTick every so much virtual time; 0 = never
  double SamplePeriod = 0;   // one access in so many of a task, see System
  bool SampleWrites = false; // write-backs count as accesses, too
  bool Uses = false;         // accessed bits
  bool Traps = false;        // pages may be trapped: onFault
};

/// What a watching policy sees and may do (System.h).
class System;

/// Memory Mode: tier 0 is no place for pages but a direct-mapped cache of lines
/// in front of tier 1 (DramCache.h).
struct CacheMode {
  bool On = false;
  bool Shuffled = true; // physical pages in random order, else as first touched
};

/// What a searching oracle knows beside its own makespan. Seconds.
struct OracleReport {
  double StaticSeconds = 0;      // best placement found without migration
  double StaticLowerBound = 0;   // no static placement replays faster
  double LowerBound = 0;         // nor does one that moves pages
  bool StaticBoundExact = false; // the optimum of the linearised problem
  double LeastAcv = 0;           // A.C.V. found, as LeastAcvWithin says
};

/// The smallest A.C.V. is looked for among placements that take at most so many
/// times what the best one does.
constexpr double LeastAcvWithin = 1.01;

/// A policy sees only what its real counterpart would see at that moment.
class Policy {
public:
  virtual ~Policy() = default;
  virtual std::string name() const = 0;
  /// True for what-if policies whose fast tier is as large as they like.
  virtual bool ignoresCapacity() const { return false; }
  virtual std::optional<OracleReport> oracleReport() const { return {}; }
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
  /// \name For policies that act while tasks run. Asked once, at the start.
  /// @{
  virtual Watch watch() const { return {}; }
  virtual CacheMode cacheMode() const { return {}; }
  /// Every Watch::TickNs of virtual time since the program's start.
  virtual void onTick(System &) {}
  /// \p Task uses a page (of the whole record) that was trapped at \p SinceNs;
  /// the trap is gone. The task pays the fault (System::FaultNs).
  virtual void onFault(System &, uint32_t Task, uint64_t Page, double SinceNs) {
  }
  /// @}
};

} // namespace evenkeel

#endif
