//===- OpenLoop.h - a described loop that goes on ------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what was said of a loop when it began, and how far it has come.
// Not here: which lines it comes by (LoopWalk.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_OPENLOOP_H
#define EVENKEEL_RUNTIME_RECORD_OPENLOOP_H

#include "record/caches/LoopWalk.h"

namespace ekrec {

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

} // namespace ekrec

#endif
