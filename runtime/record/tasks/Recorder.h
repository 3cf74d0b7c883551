//===- Recorder.h - the record as a whole --------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the options, the tasks and phases so far, and every thread's log.
// Not here: the state of a thread (ThreadState.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_RECORDER_H
#define EVENKEEL_RUNTIME_RECORD_RECORDER_H

#include "ThreadState.h"
#include "format/ek_raw.h"
#include "record/caches/Options.h"
#include <atomic>

namespace ekrec {

constexpr uint32_t MaxTasks = 1u << 26, MaxPhases = 1u << 24;

struct TaskInfo {
  uint64_t Region, Cycles, Instructions;
  uint32_t Phase, Index, Creator, Worker;
  bool Explicit, Done;
  uint32_t Last = 0; // for the first of several parts: the last one so far
  /// The first part of this execution of the region: a barrier ends a task, but
  /// not the region.
  uint32_t First = 0;
};

struct Recorder {
  Options Opts;
  bool Ready;
  TaskInfo *Tasks; // [MaxTasks], from 1
  std::atomic<uint32_t> LastTask;
  ek_raw_phase *Phases; // [MaxPhases]
  uint32_t NumPhases;
  uint64_t SerialRegion;
  std::atomic<bool> InParallel;
  uint32_t TeamPhase; // first phase of the team
  std::atomic<bool> Closed;
  ThreadState *First;           // the program's first thread
  std::atomic<uint32_t> Ending; // Ending.cpp
  std::atomic<Log *> Logs;
  bool Races;                   // whether to look for races
  uint64_t StackLow, StackHigh; // of the first thread: in use at the last fork
};
extern Recorder TheRecorder;

inline bool closed() {
  return TheRecorder.Closed.load(std::memory_order_relaxed);
}

/// Called by the first thread: if the program ends on another thread, it waits
/// until that thread has closed its tasks.
void waitForEnd(); // FirstThread.cpp
inline void pauseForEnd(const ThreadState &T) {
  if (__builtin_expect(
          TheRecorder.Ending.load(std::memory_order_relaxed) && T.Main, 0))
    waitForEnd();
}

} // namespace ekrec

#endif
