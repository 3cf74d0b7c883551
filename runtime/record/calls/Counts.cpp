//===- Counts.cpp - reported counts and values ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: counts reported by units built for counting, accesses without an
// object, and values of symbols.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Counting.h"
#include "record/host/Report.h"
#include "record/objects/StaticArrays.h"
#include "record/tasks/RunningTasks.h"

using namespace ekrec;

void ekrec::untracked(ThreadState &T, uint64_t Times) {
  if (!T.Current && TheRecorder.Ready && !closed())
    count(Why::ForeignThread);
  // In a sampled run, which of these are seen depends on their addresses.
  if (TheRecorder.Opts.Rate != 1)
    return;
  if (Log *L = logOf(T))
    L->Untracked += Times;
}

extern "C" void __ek_rec_symbol(uint64_t Id, int64_t Value, uint64_t Kind,
                                uint64_t *Place) {
  pauseForEnd(State);
  if (Frame *F = State.Current)
    F->Symbols.see(Id, Value,
                   (Kind & EK_REC_PER_TASK ? 0 : ProgramWide) |
                       (Kind & EK_REC_TRIPS ? TripCount : 0),
                   Place);
}

static __attribute__((noinline)) void
countAny(uintptr_t Address, uint64_t Reads, uint64_t Writes) {
  ThreadState &T = State;
  const uint64_t C = canonical(Address);
  const uint32_t Instance = T.Current && C ? instanceOfByte(C) : 0;
  if (!Instance) {
    untracked(T, Reads + Writes);
    return;
  }
  Frame::InstanceCount &N = T.Current->countOf(Instance);
  if (__builtin_expect(!(N.Reads | N.Writes), 0)) {
    pauseForEnd(T);
    T.Current->touched(Instance);
  }
  N.Reads += Reads;
  N.Writes += Writes;
}

extern "C" void __ek_rec_count(uintptr_t Address, uint64_t Reads,
                               uint64_t Writes) {
  // The common case needs no stack: a sort's comparisons end here.
  Frame *F = State.Current;
  if (__builtin_expect(F && ours(reinterpret_cast<void *>(Address)), 1)) {
    const uint32_t Instance =
        TheSpace.Pages[(Address - Base) >> PageBits].Instance;
    // A page with several objects has a number that no object has.
    Frame::InstanceCount *N = Instance ? F->countIfAny(Instance) : nullptr;
    if (__builtin_expect(N && N->Reads | N->Writes, 1)) {
      N->Reads += Reads;
      N->Writes += Writes;
      return;
    }
  }
  countAny(Address, Reads, Writes);
}

extern "C" ek_rec_extent __ek_rec_move(uintptr_t Address, uintptr_t Before,
                                       uint64_t Reads, uint64_t Writes) {
  if (Reads | Writes)
    __ek_rec_count(Before, Reads, Writes);
  const Surroundings E = surroundingsAround(Address);
  return {E.Low, E.Size};
}
