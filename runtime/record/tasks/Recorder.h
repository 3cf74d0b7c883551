//===- Recorder.h - the record as a whole --------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what was asked for, the tasks and phases so far, and every thread's
// log.
// Not here: what a thread is at (ThreadState.h).
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
  uint32_t Last = 0; // of a task in parts, at its first: the last one so far
  /// Where this execution of the region began: a barrier ends a task, but not
  /// what its region does.
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
  bool Races;                   // are looked for
  uint64_t StackLow, StackHigh; // of the first thread, in use at the last fork
};
extern Recorder TheRecorder;

inline bool closed() {
  return TheRecorder.Closed.load(std::memory_order_relaxed);
}

/// Where the first thread comes by: if the program ends on another one, it
/// waits until that has closed its tasks.
void waitForEnd(); // FirstThread.cpp
inline void pauseForEnd(const ThreadState &T) {
  if (__builtin_expect(
          TheRecorder.Ending.load(std::memory_order_relaxed) && T.Main, 0))
    waitForEnd();
}

} // namespace ekrec

#endif
