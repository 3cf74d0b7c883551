//===- ThreadState.h - the state of one thread ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the task, lane and phase of each thread.
// Not here: changing it (RunningTasks.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_THREADSTATE_H
#define EVENKEEL_RUNTIME_RECORD_THREADSTATE_H

#include "Symbols.h"
#include "record/host/Vec.h"

namespace ekrec {

class Burst;
class Frame;
class Watcher;
struct Log;
struct OpenCalls;
struct OpenLoop;

/// Instrumented code adds issue slots; the simulated core has four per cycle.
constexpr uint64_t SlotsPerCycle = 4;

/// The thread's state. Its first four members are `__ek_rec_tls` for
/// instrumented code (record_abi.h).
struct ThreadState {
  uint64_t Slots, Instructions; // of the current task
  SymbolCell *Cells = NoCells;  // and its symbols
  uint64_t Follow = ~0ull;      // 0: all lines, in a burst
  Frame *Current;               // nullptr: nothing is recorded; see runs()
  Frame *Spare;
  Log *Out;
  uint32_t Phase;
  uint32_t Thread;  // number in the team; creator of what it allocates
  uint32_t Width;   // threads of the team
  uint32_t Depth;   // nested parallel bodies
  uint32_t Forks;   // nested forks
  uint32_t Ordinal; // explicit tasks created in this phase
  uint32_t Parts;   // parts of tasks that began in this phase
  uint32_t Groups;  // open taskgroups
  bool Attached;    // executes a task of a team
  bool Main;        // the program's first thread
  uint64_t Region;  // of the team's tasks
  const void *Deps; // of the next task
  int32_t NumDeps;
  const void *Running;        // the current OpenMP task
  OpenLoop *Loop;             // sampled runs: allocated on first use
  Watcher *Watch;             // for races; nullptr: no other thread runs
  bool Reducing;              // holds the lock of a reduction
  Burst *InFull;              // sampled runs: allocated on first use
  uint64_t Events;            // number of accesses to sampled lines
  uint64_t NextBurst = ~0ull; // the value at which a burst begins
  Vec<void *> *Locals;        // arrays of open scopes: allocated on first use
  OpenCalls *Open;            // wrapper calls: allocated on first use

  /// Makes \p F the thread's current task.
  void runs(Frame *F);
};
extern __thread ThreadState State __asm__("__ek_rec_tls")
    __attribute__((tls_model("initial-exec")));

} // namespace ekrec

#endif
