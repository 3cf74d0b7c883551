//===- counts.h - what the required tier did ----------------------*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the figures of the summary.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_REQUIRED_COUNTS_H
#define EVENKEEL_RUNTIME_REQUIRED_COUNTS_H

#include <cstdint>

namespace evenkeel::acquire {

struct Counts {
  uint64_t CapacityBytes = 0, PeakBytes = 0, UsedBytes = 0;
  uint64_t Acquired = 0; // ranges; of these, ranges that were in the tier
  uint64_t Found = 0;
  uint64_t In = 0, InBytes = 0; // ranges that came in, and bytes copied
  uint64_t Out = 0, OutBytes = 0;
  uint64_t Waits = 0, WaitNs = 0;     // calls that waited for room
  uint64_t Announced = 0;             // tasks
  uint64_t Ahead = 0, AheadBytes = 0; // ranges that the copier brought in
  uint64_t AheadFound = 0;  // of these, ranges that a task found there
  uint64_t AheadUnused = 0; // of these, ranges that left before
  uint64_t CopyNs = 0;      // data was on its way, each direction counted
  uint64_t AcquireNs = 0;   // threads were in calls that acquire
  double WorstUnusable = 0; // largest share of free bytes in too small blocks
};

} // namespace evenkeel::acquire

#endif
