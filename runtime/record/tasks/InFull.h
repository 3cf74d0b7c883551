//===- InFull.h - a thread's bursts -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: in a burst, a thread of a sampled run reports all lines (Burst.h).
// Makes: its beginning and its end.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_INFULL_H
#define EVENKEEL_RUNTIME_RECORD_INFULL_H

#include "Burst.h"
#include "Frame.h"
#include "Recorder.h"
#include "record/abi/record_abi.h"

namespace ekrec {

/// The region of the task that the thread executes.
inline uint64_t regionOf(const ThreadState &T) {
  return TheRecorder.Tasks[T.Current->Task].Region;
}

/// Bursts of the thread now belong to a task of \p Region.
void burstsFor(ThreadState &T, uint64_t Region);

/// All lines are reported from now on.
void beginBurst(ThreadState &T);

/// An access of the thread to a line in a burst.
inline void burstLine(ThreadState &T, uint64_t Line, uint64_t Info,
                      uint64_t Position) {
  if (T.InFull->line(Line, Info & EK_REC_READ, Info & EK_REC_WRITE,
                     Info & EK_REC_DEPENDENT, Position, regionOf(T)))
    return;
  T.Follow = ~0ull;
  T.NextBurst = T.InFull->burstEnded(regionOf(T), T.Events);
}

} // namespace ekrec

#endif
