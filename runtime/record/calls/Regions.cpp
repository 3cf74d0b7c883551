//===- Regions.cpp - regions and phases -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the phases of the record. Their numbers are deterministic: a fork
// takes the next phase number, each thread of the team counts its barriers from
// there, and the join continues after the last of them. Serial code counts on
// the program's first thread; for threads that are neither this one nor in its
// teams, objects are recorded, but accesses are not (counted).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "hooks/mpi/mpi_ranks.h"
#include "record/abi/record_abi.h"
#include "record/ending/Bodies.h"
#include "record/ending/Stopping.h"
#include "record/ending/Until.h"
#include "record/host/Report.h"
#include "record/objects/Arena.h"
#include "record/tasks/Frame.h"
#include "record/tasks/RunningTasks.h"
#include "record/tasks/Watching.h"

using namespace ekrec;

// The program's own OpenMP runtime, if it has one.
extern "C" __attribute__((weak)) int omp_get_thread_num(void);
extern "C" __attribute__((weak)) int omp_get_num_threads(void);
extern "C" __attribute__((weak)) int omp_get_level(void);
extern "C" __attribute__((weak)) int32_t __kmpc_global_thread_num(void *);
extern "C" __attribute__((weak)) void __kmpc_push_num_threads(void *, int32_t,
                                                              int32_t);

static std::atomic<bool> Busy[Creators]; // thread numbers in use

extern "C" void __ek_rec_serial(uint64_t Region) {
  ThreadState &T = State;
  if (!T.Main || TheRecorder.SerialRegion || !T.Current)
    return;
  TheRecorder.SerialRegion = Region;
  TheRecorder.Tasks[T.Current->Task].Region = Region;
}

/// Whether the first thread executes serial code, outside explicit tasks.
static bool isSerial(const ThreadState &T) {
  return T.Main && T.Current && !T.Current->Parent && !T.Attached && !T.Depth;
}

/// Whether the thread is not in a team of ours.
static bool isOutside(const ThreadState &T) { return !T.Main && !T.Attached; }

extern "C" void __ek_rec_fork(void) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (!isSerial(T) || closed()) {
    if (T.Current && !closed()) {
      count(Why::NestedParallel);
      // Always one thread: others would do unrecorded work.
      if (__kmpc_push_num_threads && __kmpc_global_thread_num)
        __kmpc_push_num_threads(nullptr, __kmpc_global_thread_num(nullptr), 1);
    }
    if (!T.Forks++ && isOutside(T))
      otherTeamBegins();
    return;
  }
  endTask(T);
  absorbRemoteFrees();
  TheRecorder.StackLow =
      reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  TheRecorder.TeamPhase = ++T.Phase;
  TheRecorder.InParallel.store(true, std::memory_order_release);
}

extern "C" void __ek_rec_join(uint64_t Sync) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (T.Forks) {
    if (!--T.Forks && isOutside(T))
      otherTeamEnds();
    if (MayEndEarly && T.Main)
      continueUnrecorded();
    return;
  }
  if (MayEndEarly && T.Main && closed())
    continueUnrecorded();
  if (!T.Main || T.Current || closed())
    return;
  TheRecorder.InParallel.store(false, std::memory_order_release);
  absorbRemoteFrees();
  bool Ran = T.Phase < TheRecorder.NumPhases; // the body is instrumented
  if (Ran)
    TheRecorder.Phases[T.Phase].sync = Sync;
  T.Thread = 0;
  if (MayEndEarly && Ran)
    phaseEnded(T.Phase, /*OfAllRanks=*/false);
  if (!closed())
    beginSerial(T, Ran ? T.Phase + 1 : T.Phase);
}

extern "C" void __ek_rec_collective(uint64_t Sync, uint64_t Of,
                                    uint64_t Handle) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (!isSerial(T) || closed() ||
      !ek_mpi_is_of_all(static_cast<ek_mpi_of>(Of),
                        static_cast<intptr_t>(Handle)))
    return;
  endTask(T);
  setPhase(T.Phase, Sync, 2, 1);
  if (MayEndEarly)
    phaseEnded(T.Phase, /*OfAllRanks=*/true);
  if (!closed())
    beginSerial(T, T.Phase + 1);
}

extern "C" void __ek_rec_region_begin(uint64_t Region) {
  ThreadState &T = State;
  if (T.Depth++ || T.Current || closed() ||
      !TheRecorder.InParallel.load(std::memory_order_acquire))
    return;
  if (omp_get_level && omp_get_level() != 1)
    return;
  uint32_t Number =
      omp_get_thread_num ? static_cast<uint32_t>(omp_get_thread_num()) : 0;
  // In the program's team, only the first thread is number 0.
  if (Number >= Creators || T.Main != !Number || Busy[Number].exchange(true))
    return;
  if (Number && otherTeamRuns())
    count(Why::OtherTeam);
  T.Attached = true;
  T.Thread = Number;
  T.Width =
      omp_get_num_threads ? static_cast<uint32_t>(omp_get_num_threads()) : 1;
  if (T.Width > Creators)
    T.Width = Creators;
  T.Phase = TheRecorder.TeamPhase;
  T.Region = Region;
  if (!Number)
    setPhase(T.Phase, 0, 1, T.Width);
  beginOwnTask(T, Region);
  watch(T);
}

extern "C" void __ek_rec_region_end(void) {
  ThreadState &T = State;
  if (!T.Depth || --T.Depth || !T.Attached)
    return;
  unwatch(T);
  endTask(T);
  T.Attached = false;
  Busy[T.Thread].store(false);
}

extern "C" void __ek_rec_barrier(uint64_t Sync) {
  ThreadState &T = State;
  if (!T.Attached || T.Depth != 1 || !T.Current || T.Current->Parent)
    return;
  unwatch(T);
  const uint32_t First = TheRecorder.Tasks[T.Current->Task].First;
  endTask(T);
  if (!T.Thread)
    TheRecorder.Phases[T.Phase].sync = Sync;
  if (__builtin_expect(MayEndEarly, 0) &&
      !barrierReached(T.Phase, T.Thread, T.Width))
    return;
  ++T.Phase;
  if (!T.Thread)
    setPhase(T.Phase, 0, 1, T.Width);
  beginOwnTask(T, T.Region);
  if (T.Current)
    TheRecorder.Tasks[T.Current->Task].First = First;
  watch(T);
}
