//===- PhaseRun.h - the tasks of a phase on virtual cores -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the event-driven simulation of one phase after the other. Thread tasks
// start together on their own workers (several tasks of one worker run in order
// of index). Explicit tasks are list-scheduled in order of creation: when a
// worker is free and predecessors are done, the first ready task goes to the
// free worker with the smallest number. A worker with a thread task (the
// creator) is free when that is done. At every event (an interval ends, a task
// starts or ends), the durations of all running intervals are solved again
// (Contention.h).
// Page moves that were requested at a hook are copied by a separate helper
// core, in order and in batches, while the next phases run. Each batch has the
// machine file's cost per page and per byte and uses bandwidth of both tiers.
// Its pages count as moved when the batch is copied; tasks that use one of them
// meanwhile wait for it. Moves that are not finished at the end of the program
// do not count. A move by a faulting task costs that task the same,
// immediately.
// A policy that watches gets its ticks between intervals, and sees the accesses
// of an interval at the interval's start.
// Not here: placement (policies), figures over phases (ReplayEngine.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_PHASERUN_H
#define EVENKEEL_PROFILES_SIMULATOR_PHASERUN_H

#include "Contention.h"
#include "DramCache.h"
#include "PageMap.h"
#include "Policy.h"
#include "PreparedRecord.h"
#include "System.h"
#include <optional>
#include <set>
#include <vector>

namespace evenkeel {

class PhaseRunner final : public RunningPhase {
public:
  /// Pages copied as one batch.
  static constexpr unsigned BatchPages = 64;

  /// \p FastBytes: the size of the cache, if the policy has one.
  PhaseRunner(const PreparedRecord &R, const Machine &M, PageMap &Map,
              uint64_t FastBytes, Policy &P);

  /// Runs phase \p Phase, whose pages must all be placed, and returns its
  /// length in ns.
  double run(uint32_t Phase);

  /// Length in ns of each task that has run, from its start on a worker.
  const std::vector<double> &taskNs() const { return TaskNs; }
  const std::vector<double> &taskCoreNs() const { return TaskCoreNs; }
  /// Busy time in ns of each worker in the last phase.
  const std::vector<double> &busyNs() const { return BusyNs; }
  /// Lines read from and written back to each tier so far.
  const std::vector<uint64_t> &lines() const { return Lines; }
  uint64_t promotedBytes() const { return PromotedBytes; }
  uint64_t demotedBytes() const { return DemotedBytes; }
  uint64_t faults() const { return Faults; }
  uint64_t samplesTaken() const { return SamplesTaken; }
  uint64_t unsettled() const { return Unsettled; }
  /// The instance was freed; a cache drops its pages.
  void release(uint32_t Instance);

  /// See System.
  bool moveNow(uint64_t Page, unsigned To) override;
  bool nextAccess(SampledAccess &Out) override;

private:
  struct Runner {
    uint32_t Task = 0, Worker = 0;
    uint32_t NextInterval = 0;
    double Remaining = 0; // remaining share of the current interval
    double StartNs = 0;
    uint64_t Reads = 0; // of the current interval
    Demand D;
  };
  using PerTier = std::array<uint64_t, MaxTiers>;

  const PreparedRecord &R;
  const Machine &M;
  PageMap &Map;
  Contention Shared;

  std::vector<double> TaskNs, TaskCoreNs, BusyNs;
  std::vector<uint64_t> Lines;
  uint64_t PromotedBytes = 0, DemotedBytes = 0, Unsettled = 0;
  uint64_t Faults = 0, SamplesTaken = 0;

  Policy &P;
  const Watch Watching;
  System Sys;
  std::optional<DramCache> Cache;
  double NextTick = 0; // since the program's start
  std::vector<double>
      UnsampledOf; // accesses since the last sample, per virtual worker
  // Cost of the task's own moves, charged to the interval being loaded.
  double OwedNs = 0;
  PerTier OwedReads{}, OwedWrites{};

  // The current phase.
  double Now = 0,
         StartNs = 0; // since the phase's start; its start since the program's
  std::vector<Runner> Running;                    // by task
  std::vector<std::vector<uint32_t>> ThreadQueue; // per worker, last first
  std::set<uint32_t> Ready, FreeWorkers;
  std::vector<uint32_t> OpenPredecessors; // by task of the record
  std::vector<const Demand *> Demands;
  std::vector<double> Ns;

  // The helper that copies pages; it outlives phases.
  Runner Copier;
  std::vector<PageMap::Move> Batch;
  std::vector<uint8_t> BatchFrom; // the current tier of each page in it

  bool loadInterval(Runner &T);
  /// Updates accessed bits, traps and samples for a row, before its accesses.
  void observe(Runner &T, const PreparedRecord::Row &Row);
  /// A row behind the cache: adds bytes, full latencies and transferred lines.
  void throughCache(const PreparedRecord::Row &Row, PerTier &Reads,
                    PerTier &Writes, std::array<double, MaxTiers> &Weight);
  void count(unsigned From, unsigned To, uint64_t Bytes);
  void tick();
  void dispatch();
  void begin(uint32_t Task, uint32_t Worker);
  void finish(const Runner &T);
  void beginBatch();
  /// Returns the pages that were moved (global numbers).
  std::vector<uint64_t> finishBatch();
  /// The time that \p T, whose interval takes \p IntervalNs, waited for them.
  /// Adds what tasks do in the next \p Step ns to the load of tiers.
  void countLoads(double Step);
  double waitNs(const Runner &T, double IntervalNs,
                const std::vector<uint64_t> &Moved) const;
};

} // namespace evenkeel

#endif
