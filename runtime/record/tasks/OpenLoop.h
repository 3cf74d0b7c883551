//===- OpenLoop.h - a described loop in progress ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the description of a loop, and how far it has run.
// Not here: the lines that it touches (LoopWalk.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_OPENLOOP_H
#define EVENKEEL_RUNTIME_RECORD_OPENLOOP_H

#include "record/caches/LoopWalk.h"

namespace ekrec {

/// A loop that was described at its start and is still running (LoopWalk.h).
struct OpenLoop {
  LoopWalk Walk;
  struct Stream {
    uint64_t Info; // record_abi.h
    int64_t Step;
    bool Missed; // L2, in its last access
    /// Canonical; the last line in a burst, and when the stream leaves it.
    uint64_t Start, Line, Leaves;
  } Streams[LoopWalk::MaxStreams];
  unsigned NumStreams;
  double Missing;   // lines per iteration of streams that missed
  uint64_t InBurst; // first iteration that the burst has not seen
  uint64_t Trips;
  uint64_t Costs,
      Iteration; // slots << 32 | instructions of one iteration; the current one
  uintptr_t At;  // code that described it
  bool Open;
};

} // namespace ekrec

#endif
