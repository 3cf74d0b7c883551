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
// wait for it. What is not copied when the program ends never was.
// Leaves out: placement (policies), figures over phases (Replay.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_PHASERUN_H
#define EVENKEEL_PROFILES_SIMULATOR_PHASERUN_H

#include "Contention.h"
#include "PageMap.h"
#include "PreparedRecord.h"
#include "Replay.h"
#include <set>
#include <vector>

namespace evenkeel {

class PhaseRunner {
public:
  /// Pages copied as one batch.
  static constexpr unsigned BatchPages = 64;

  PhaseRunner(const PreparedRecord &R, const Machine &M, PageMap &Map);

  /// Runs phase \p P; all pages it touches must be placed. Each
  /// \p SamplePeriod exposed latencies of a task are sampled once; 0 = never.
  /// Returns its length in ns.
  double run(uint32_t P, double SamplePeriod = 0);

  /// Length of each task run so far, in ns, from its start on a worker.
  const std::vector<double> &taskNs() const { return TaskNs; }
  const std::vector<double> &taskCoreNs() const { return TaskCoreNs; }
  /// ns that each worker of the last phase was busy.
  const std::vector<double> &busyNs() const { return BusyNs; }
  /// Lines read from and written back to each tier so far.
  const std::vector<uint64_t> &lines() const { return Lines; }
  /// Sampled stalls of the last phase, in order of time.
  const std::vector<SampledStall> &samples() const { return Samples; }
  uint64_t movedBytes() const { return MovedBytes; }
  uint64_t unsettled() const { return Unsettled; }

private:
  struct Runner {
    uint32_t Task = 0, Worker = 0;
    uint32_t NextInterval = 0;
    double Remaining = 0; // share of the current interval
    double StartNs = 0;
    double Unsampled = 0; // exposed latencies since the last sample
    Demand D;
  };

  const PreparedRecord &R;
  const Machine &M;
  PageMap &Map;
  Contention Shared;

  std::vector<double> TaskNs, TaskCoreNs, BusyNs;
  std::vector<uint64_t> Lines;
  uint64_t MovedBytes = 0, Unsettled = 0;

  // The phase under way.
  double Now = 0;
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

  bool loadInterval(Runner &T);
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
