//===- Recorder.h - one thread's state, and the record as a whole -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which task each thread executes, on which lane, in which phase.
// Not here: the calls themselves (record_abi.h documents them).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_RECORDER_H
#define EVENKEEL_RUNTIME_RECORD_RECORDER_H

#include "Burst.h"
#include "Frame.h"
#include "record/caches/LoopWalk.h"
#include "record/calls/Contexts.h"
#include "record/races/Races.h"

namespace ekrec {

/// Instrumented code adds issue slots; a core of the recorded kind has four.
constexpr uint64_t SlotsPerCycle = 4;
constexpr uint32_t MaxTasks = 1u << 26, MaxPhases = 1u << 24;

/// A loop that was described at its begin, and goes on (LoopWalk.h).
struct OpenLoop {
  LoopWalk Walk;
  struct Stream {
    uint64_t Info; // record_abi.h
    int64_t Step;
    bool Missed; // L2, the last time
    /// Canonical; the last line of a burst, and when the stream leaves it.
    uint64_t Start, Line, Leaves;
  } Streams[LoopWalk::MaxStreams];
  unsigned NumStreams;
  double Missing;   // lines per iteration of those that missed
  uint64_t InBurst; // iteration that a burst has not been told yet
  uint64_t Trips;
  uint64_t Costs, Iteration; // slots << 32 | instructions of one; the present
  uintptr_t At;              // code that described it
  bool Open;
};

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
  void runs(Frame *F) {
    Current = F;
    Cells = F ? F->Symbols.cells() : NoCells;
  }
};
extern __thread ThreadState State __asm__("__ek_rec_tls")
    __attribute__((tls_model("initial-exec")));

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
void waitForEnd();
inline void pauseForEnd(const ThreadState &T) {
  if (__builtin_expect(
          TheRecorder.Ending.load(std::memory_order_relaxed) && T.Main, 0))
    waitForEnd();
}

/// Has the record written when the process ends (Ending.cpp).
void watchForEnd();

/// Ends the record here, between two phases, and writes it (Ending.cpp). The
/// process goes on, and records nothing.
void endRecord();
bool recordIsWritten();

/// Ends all tasks of the calling thread.
void endTasks();

/// Who a block is from that the thread allocates now, and in which phase.
Maker makerInGap();
inline Maker makerOf(const ThreadState &T) {
  if (closed())
    return {NoCreator, 0};
  return T.Current ? Maker{T.Thread, T.Thread} : makerInGap();
}
uint32_t phaseInGap();
inline uint32_t phaseOf(const ThreadState &T) {
  return T.Current ? T.Phase : phaseInGap();
}

/// Starts the next explicit task on the calling thread; 0: not recorded.
uint32_t beginExplicitTask(uint64_t Region);
void endExplicitTask();

/// The calling thread's task goes on as a further part, which waits for the
/// part that ends here and for \p Waited (last parts of tasks).
void beginPart(const Vec<uint32_t> &Waited);

/// What task \p Child, just created by \p Parent, waits for (Tasks.cpp).
void linkChild(Frame &Parent, Frame &Child, const void *Deps, int32_t NumDeps);
/// Before \p Parent creates a task: ends its part if that takes an edge less.
void beforeChild(Frame &Parent);
/// \p Child has ended: what its taskgroup still waits for.
void afterChild(Frame &Parent, const Frame &Child);

/// Writes down that the running part of \p F waits for F.Preds.
void writePreds(const Frame &F, Log &Out);

/// Looks up the C library's free and its like, once, at start (Alloc.cpp).
/// False: the C library stands before us, and would get our blocks to free.
bool findNextAllocator();

/// Ends what still runs on this thread and writes the stream (Stream.cpp).
void writeStream(const char *Path);

/// Whether a launcher of MPI programs says that this is a rank (Stream.cpp).
bool isRank();

} // namespace ekrec

#endif
