//===- PhaseSums.h - what the tasks of a phase did ------------ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: per phase, the work of its tasks that are over.
// Not here: what follows from it (record/ending/Until.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PHASESUMS_H
#define EVENKEEL_RUNTIME_RECORD_PHASESUMS_H

#include <atomic>
#include <cstdint>

namespace ekrec {

struct TaskInfo;

/// What the tasks of one phase did so far.
struct PhaseSums {
  std::atomic<uint64_t> Instructions, Cycles;
  std::atomic<uint64_t> Region; // of the first thread's
  std::atomic<uint32_t> Tasks;
};

/// Whether anybody asks for the sums: constant after start.
extern bool SumsPhases;

/// Those of \p Phase. No thread is ahead of another by more than one phase, so
/// there are few.
PhaseSums &sumsOf(uint32_t Phase);

/// A task of the present phases is over. \p Waited: latencies of memory that it
/// waited for. Any thread.
void addToPhase(const TaskInfo &Task, double Waited);

} // namespace ekrec

#endif
