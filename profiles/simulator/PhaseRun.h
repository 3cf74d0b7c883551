//===- PhaseRun.h - the tasks of a phase on virtual cores -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the event-driven run of one phase after the other. Thread tasks start
// together on their own workers (several on one worker: in order of index).
// Explicit tasks are list-scheduled in order of creation: whenever a worker is
// free and predecessors are done, the first ready task goes to the free worker
// of the smallest number; a worker with a thread task (the creator) is free
// once that is done. At every event (an interval ends, a task starts or ends)
// the durations of all running intervals are solved anew (Contention.h).
// Page moves asked for at a hook are copied by a helper core of their own, in
// order, in batches, while the next phases run: each batch takes per-page and
// per-byte cost of the machine file and bandwidth of both tiers; its pages
// count as moved when the batch is copied, and tasks that use one of them then
// wait for it. What is not copied when the program ends never was. A move that
// a faulting task makes itself costs that task the same, at once.
// A policy that watches gets its ticks between intervals; what it sees of an
// interval it sees from the interval's start on.
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

  /// \p FastBytes: size of the cache, if the policy has one.
  PhaseRunner(const PreparedRecord &R, const Machine &M, PageMap &Map,
              uint64_t FastBytes, Policy &P);

  /// Runs phase \p Phase; all pages it touches must be placed. Each
  /// \p SamplePeriod exposed latencies of a task are sampled once; 0 = never.
  /// Returns its length in ns.
  double run(uint32_t Phase, double SamplePeriod = 0);

  /// Length of each task run so far, in ns, from its start on a worker.
  const std::vector<double> &taskNs() const { return TaskNs; }
  const std::vector<double> &taskCoreNs() const { return TaskCoreNs; }
  /// ns that each worker of the last phase was busy.
  const std::vector<double> &busyNs() const { return BusyNs; }
  /// Lines read from and written back to each tier so far.
  const std::vector<uint64_t> &lines() const { return Lines; }
  /// Sampled stalls of the last phase, in order of time.
  const std::vector<SampledStall> &samples() const { return Samples; }
  uint64_t promotedBytes() const { return PromotedBytes; }
  uint64_t demotedBytes() const { return DemotedBytes; }
  uint64_t faults() const { return Faults; }
  uint64_t samplesTaken() const { return SamplesTaken; }
  uint64_t unsettled() const { return Unsettled; }
  /// The instance is gone; a cache forgets its pages.
  void release(uint32_t Instance);

  /// See System.
  bool moveNow(uint64_t Page, unsigned To) override;
  bool nextAccess(SampledAccess &Out) override;

private:
  struct Runner {
    uint32_t Task = 0, Worker = 0;
    uint32_t NextInterval = 0;
    double Remaining = 0; // share of the current interval
    double StartNs = 0;
    double Unsampled = 0; // exposed latencies since the last sample
    uint64_t Reads = 0;   // of the current interval
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
  double NextTick = 0;             // since the program's start
  std::vector<double> UnsampledOf; // accesses, per virtual worker
  // What the interval being loaded owes for own moves.
  double OwedNs = 0;
  PerTier OwedReads{}, OwedWrites{};

  // The phase under way.
  double Now = 0, StartNs = 0; // since its start; its start since the program's
  double SamplePeriod = 0;
  std::vector<SampledStall> Samples;
  std::vector<Runner> Running;                    // by task
  std::vector<std::vector<uint32_t>> ThreadQueue; // per worker, last first
  std::set<uint32_t> Ready, FreeWorkers;
  std::vector<uint32_t> OpenPredecessors; // by task of the record
  std::vector<const Demand *> Demands;
  std::vector<double> Ns;

  // The helper that copies pages; it outlives phases.
  Runner Copier;
  std::vector<PageMap::Move> Batch;
  std::vector<uint8_t> BatchFrom; // the tier that each page of it lies in

  bool loadInterval(Runner &T);
  /// Accessed bit, trap and samples of a row, before its accesses.
  void observe(Runner &T, const PreparedRecord::Row &Row);
  /// A row behind the cache: adds bytes, full latencies and served lines.
  void throughCache(const PreparedRecord::Row &Row, PerTier &Reads,
                    PerTier &Writes, std::array<double, MaxTiers> &Weight);
  void count(unsigned From, unsigned To, uint64_t Bytes);
  void tick();
  /// Samples the stalls of a row; how many.
  unsigned sample(Runner &T, const PreparedRecord::Row &Row);
  void dispatch();
  void begin(uint32_t Task, uint32_t Worker);
  void finish(const Runner &T);
  void beginBatch();
  /// Returns the pages that were moved (global).
  std::vector<uint64_t> finishBatch();
  /// How long \p T, whose interval takes \p IntervalNs, waited for them.
  double waitNs(const Runner &T, double IntervalNs,
                const std::vector<uint64_t> &Moved) const;
};

} // namespace evenkeel

#endif
