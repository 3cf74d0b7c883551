//===- Streams.h - steps on workers, copies on two streams ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a replay of a schedule on a tier that must hold a step's data while
// the step runs. Steps start in the order of the schedule, on the first idle
// worker. Beside them one stream copies in and one copies out, one datum at a
// time each. There is no barrier: a step waits only for its own data and its
// own predecessors. Room comes from a pool whose capacity is never exceeded;
// data gets it in the order of the steps, so a later step cannot take what an
// earlier one waits for. What a step only reads may be copied out while it
// runs. Where the next step finds no room, the data that is needed last is
// evicted; where its own data lies such that the rest is in pieces, all of it
// leaves and comes back (a flush). Makes: times, peak, copies, fragmentation;
// or why the run cannot go on. Not here: bandwidth that copies take from steps.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_STREAMS_H
#define EVENKEEL_PROFILES_REQUIRED_STREAMS_H

#include "Schedule.h"
#include "format/Machine.h"

namespace evenkeel::required {

/// The fast tier, and the way to it.
struct FastMemory {
  uint64_t Bytes = 0;
  CopyLinks Copies;
  unsigned Workers = 1;
};

struct Replayed {
  double Seconds = 0;        // until the last step and the last copy end
  double StepSeconds = 0;    // of all steps, one after the other
  double CopySeconds = 0;    // of all copies, one after the other
  double ExposedSeconds = 0; // of copies while no step ran
  uint64_t InBytes = 0, OutBytes = 0;
  uint64_t PeakBytes = 0; // of blocks in the pool
  /// Smallest Pool::spareBytes(): what a smaller pool would lack.
  uint64_t LeastSpareBytes = 0;
  /// unusableShare() before each allocation.
  double MeanFragmentation = 0, WorstFragmentation = 0;
  uint32_t Evictions = 0, Flushes = 0;
  std::string Failure;        // "NAME: why"; empty: all steps ran
  std::vector<double> Starts; // of steps, by position

  bool failed() const { return !Failure.empty(); }
  /// The same steps and copies one after the other.
  double secondsWithoutOverlap() const { return StepSeconds + CopySeconds; }
  double hiddenSeconds() const { return CopySeconds - ExposedSeconds; }
  /// Of the copies' seconds; 1 without copies.
  double hiddenShare() const {
    return CopySeconds > 0 ? hiddenSeconds() / CopySeconds : 1;
  }
};

/// \p S must fit \p G (isOrder, one entry for each position and use).
Replayed replayStreams(const TaskGraph &G, const Schedule &S,
                       const FastMemory &Fast);

} // namespace evenkeel::required

#endif
