//===- ThreadState.h - what one thread is at ------------------ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which task each thread executes, on which lane, in which phase.
// Not here: who changes it (RunningTasks.h).
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

/// Instrumented code adds issue slots; a core of the recorded kind has four.
constexpr uint64_t SlotsPerCycle = 4;

/// The thread's state. Its first four members are `__ek_rec_tls` to
/// instrumented code (record_abi.h).
struct ThreadState {
  uint64_t Slots, Instructions; // of the task being executed
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
  uint32_t Parts;   // and parts of tasks that began in it
  uint32_t Groups;  // open taskgroups
  bool Attached;    // executes a team's task
  bool Main;        // the program's first thread
  uint64_t Region;  // of the team's tasks
  const void *Deps; // of the task about to begin
  int32_t NumDeps;
  const void *Running;        // OpenMP task being executed
  OpenLoop *Loop;             // of sampled runs, once there was one
  Watcher *Watch;             // for races; nullptr: nobody else runs
  bool Reducing;              // under the lock of a reduction
  Burst *InFull;              // of sampled runs, once there was one
  uint64_t Events;            // sampled lines that were accessed,
  uint64_t NextBurst = ~0ull; // and when a burst begins
  Vec<void *> *Locals;        // arrays of open scopes, once there was one
  OpenCalls *Open;            // of wrappers, once there was one

  /// \p F is what the thread executes from now on.
  void runs(Frame *F);
};
extern __thread ThreadState State __asm__("__ek_rec_tls")
    __attribute__((tls_model("initial-exec")));

} // namespace ekrec

#endif
