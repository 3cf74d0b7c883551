//===- RunningTasks.h - the begin and end of tasks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how threads begin, interrupt and end tasks, the lane of each task, and
// the phases.
// Not here: dependences (Dependences.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_RUNNINGTASKS_H
#define EVENKEEL_RUNTIME_RECORD_RUNNINGTASKS_H

#include "Recorder.h"

namespace ekrec {

/// The thread's log; nullptr: no memory.
Log *logOf(ThreadState &T);

/// Records phase \p Phase.
void setPhase(uint32_t Phase, uint64_t Sync, uint32_t Kind, uint32_t Width);

/// The thread begins its own task of its phase.
void beginOwnTask(ThreadState &T, uint64_t Region);
/// The program's first thread continues with serial code.
void beginSerial(ThreadState &T, uint32_t Phase);
/// Ends the thread's current task.
void endTask(ThreadState &T);
/// Ends all tasks of the calling thread.
void endTasks();

/// Starts the next explicit task on the calling thread; 0: not recorded.
uint32_t beginExplicitTask(uint64_t Region);
void endExplicitTask();

/// The calling thread's task continues as a further part, which waits for the
/// part that ends here and for \p Waited (last parts of tasks).
void beginPart(const Vec<uint32_t> &Waited);

} // namespace ekrec

#endif
