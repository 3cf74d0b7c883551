//===- PhaseSums.h - the work of a phase's tasks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each phase, the work of its finished tasks.
// Not here: its evaluation (record/ending/Until.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PHASESUMS_H
#define EVENKEEL_RUNTIME_RECORD_PHASESUMS_H

#include <atomic>
#include <cstdint>

namespace ekrec {

struct TaskInfo;

/// The work of one phase's tasks so far.
struct PhaseSums {
  std::atomic<uint64_t> Instructions, Cycles;
  std::atomic<uint64_t> Region; // of the first thread
  std::atomic<uint32_t> Tasks;
};

/// Whether the sums are needed: constant after start.
extern bool SumsPhases;

/// The sums of \p Phase. Threads are at most one phase apart, so there are few.
PhaseSums &sumsOf(uint32_t Phase);

/// A task of a current phase has ended. \p Waited: memory latencies that it
/// waited for. Any thread.
void addToPhase(const TaskInfo &Task, double Waited);

} // namespace ekrec

#endif
