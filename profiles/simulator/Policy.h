//===- Policy.h - the interface of placement policies -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a policy sees and when it is called: at allocations, first
// touches and ends of phases; policies that act while tasks run
// also at ticks and faults.
// Not here: the policies (policies/), and the caller (ReplayEngine.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICY_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// The cost of one sampled address for its task: about 200 ns per record of
/// Intel's PEBS (Akiyama and Hirofuchi, ROSS 2017).
constexpr double SampleNs = 200;

/// The tier of each page of each instance.
class PageMap;
struct TaskResult {
  uint32_t Task = 0, Phase = 0, Index = 0;
  uint64_t Region = 0;
  double Seconds = 0;
  bool Explicit = false;  // explicit tasks and threads have separate numbers
  double CoreSeconds = 0; // seconds not waiting for memory (a counter)
};

/// What the operating system and the processor observe while tasks run, for
/// policies that act inside phases. Only what is requested here is observed,
/// and costs time.
struct Watch {
  double TickNs = 0;         // interval of onTick in virtual time; 0 = never
  double SamplePeriod = 0;   // samples one access in this many, see System
  bool SampleWrites = false; // write-backs count as accesses
  bool Uses = false;         // accessed bits
  bool Traps = false;        // pages can be trapped: onFault
  bool Loads = false;        // loaded latencies by tier
};

/// What a watching policy can see and do (System.h).
class System;

/// Memory Mode: tier 0 holds no pages, but is a direct-mapped cache of lines in
/// front of tier 1 (DramCache.h).
struct CacheMode {
  bool On = false;
  bool Shuffled =
      true; // physical pages in random order; false: in order of first touch
};

/// Further results of a searching oracle, in seconds.
struct OracleReport {
  double StaticSeconds = 0;      // best static placement found
  double StaticLowerBound = 0;   // bound for static placements
  double LowerBound = 0;         // bound for placements that move pages
  bool StaticBoundExact = false; // the bound is the linear program's optimum
  double LeastAcv = 0;           // smallest A.C.V. found, see LeastAcvWithin
};

/// A policy sees only what its real counterpart would see at that moment.
class Policy {
public:
  virtual ~Policy() = default;
  virtual std::string name() const = 0;
  /// Whether the fast tier is unlimited (bounds, not real policies).
  virtual bool ignoresCapacity() const { return false; }
  virtual std::optional<OracleReport> oracleReport() const { return {}; }
  /// Orders the instances that are allocated in one phase, if the policy has
  /// priorities; onAlloc is called in this order. The initial order is that of
  /// the record.
  virtual void orderAllocations(const PageMap &,
                                std::vector<uint32_t> &Instances) {}
  /// \p Instance was allocated. Places the pages that the policy places at
  /// allocation; the others go to onFirstTouch.
  virtual void onAlloc(PageMap &, uint32_t Instance) {}
  /// First touch of a page that onAlloc did not place; returns its tier.
  virtual unsigned onFirstTouch(PageMap &, uint32_t Instance,
                                uint32_t Page) = 0;
  /// All tasks of the program wait here; the policy may request moves. \p Tasks
  /// are those of the phase, with their measured times.
  virtual void onPhaseEnd(PageMap &, uint32_t Phase,
                          const std::vector<TaskResult> &Tasks) {}
  ///
  /// ame For policies that act while tasks run. watch() and cacheMode() are
  /// called once, at the start.
  /// @{
  virtual Watch watch() const { return {}; }
  virtual CacheMode cacheMode() const { return {}; }
  /// Called every Watch::TickNs of virtual time since the program's start.
  virtual void onTick(System &) {}
  /// \p Task accesses a (global) page that was trapped at \p SinceNs; the trap
  /// is removed. The task pays for the fault (System::FaultNs).
  virtual void onFault(System &, uint32_t Task, uint64_t Page, double SinceNs) {
  }
  /// @}
};

} // namespace evenkeel

#endif
