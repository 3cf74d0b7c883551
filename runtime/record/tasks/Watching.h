//===- Watching.h - watching threads for races ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the phases in which a thread is watched for races (Races.h), and which
// of its accesses can be distinguished from those to earlier memory at the same
// address.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_WATCHING_H
#define EVENKEEL_RUNTIME_RECORD_WATCHING_H

#include "Recorder.h"
#include "record/abi/record_abi.h"
#include "record/races/Races.h"

namespace ekrec {

/// The team's thread begins another phase.
void watch(ThreadState &T);
/// It ends the phase.
void unwatch(ThreadState &T);

/// Whether memory at \p Address can be distinguished from what other threads
/// had there before, in the same phase. \p C: its canonical address.
inline bool watchable(uint64_t Address, uint64_t C, uint64_t Info) {
  return C || Info & EK_REC_UNCOUNTED ||
         (Address >= TheRecorder.StackLow && Address < TheRecorder.StackHigh);
}

inline void watchAccess(const ThreadState &T, uint64_t Address, uint64_t C,
                        uint64_t Bytes, uint64_t Info, uintptr_t At) {
  if (!watchable(Address, C, Info))
    return;
  bool Read = Info & EK_REC_READ, Write = Info & EK_REC_WRITE,
       Atomic = Info & EK_REC_ATOMIC;
  if (Info & EK_REC_ORDERS)
    T.Watch->orders();
  for (uint64_t A = C ? C : Address, End = A + (Bytes ? Bytes : 1); A < End;) {
    uint64_t Next = (A | (LineBytes - 1)) + 1;
    uint64_t N = (Next < End ? Next : End) - A;
    uint64_t Mask = N >= LineBytes ? ~0ull : (1ull << N) - 1;
    T.Watch->touch(A / LineBytes, Mask << A % LineBytes, Read, Write, Atomic,
                   At);
    A = Next;
  }
}

} // namespace ekrec

#endif
