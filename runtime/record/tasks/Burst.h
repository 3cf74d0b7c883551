//===- Burst.h - short stretches of a sampled run, in full ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a sampled run follows one line of each page, so it counts what comes
// from memory, but neither sees which loads wait together nor what a prefetcher
// makes of them (Lane.h). So now and then a thread has the recorder told of all
// lines (`follow` of record_abi.h), for some ten thousand misses, and they go
// through full caches beside the sampled ones: as many as warm these, then some
// that count.
// Makes: for each region and allocation site, which part of a latency a line
// from memory waited for on average; with it the weights of the sampled lines
// are corrected when the record is written. Systematic sampling with functional
// warming: Wunderlich et al. 2003 (SMARTS).
//   The first bursts of two of a team's threads go to regions that had few;
// all others come so rarely that they are told a 64th of all lines. When one
// begins depends on counts alone, so equal runs have equal bursts.
// Not here: misses of a burst, which are no estimate of how many there are.
// Not thread-safe: a burst is one thread's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_BURST_H
#define EVENKEEL_RUNTIME_RECORD_BURST_H

#include "record/caches/Lane.h"
#include "record/host/Vec.h"

namespace ekrec {

class Burst {
public:
  /// Misses that warm the caches (the lines of L2 and of the last level's
  /// share); those that have to do in a later burst, where the last one ended
  /// no more lines ago than that, or as many lines as RewarmTold were told; and
  /// those of a burst that count. Told lines that each of these takes at most.
  static constexpr uint64_t Warming = 40960, Rewarming = 4096, Counting = 2048,
                            RewarmTold = 1 << 16, MostTold = 1 << 18;
  /// Bursts of a region that do not wait until they are due, and of these in
  /// one of its tasks: others may use other objects. And how many lines a
  /// thread is told in such ones; in a task, the next one comes so many sampled
  /// lines after the first.
  static constexpr unsigned MostEarly = 8, MostInTask = 2;
  static constexpr uint64_t EarlyTold = 3 << 20, EarlyGap = 256;
  /// All lines told are at most such a part of the lines that there are.
  static constexpr uint64_t OneIn = 64;

  /// False: no memory. \p Early: bursts come before they are due.
  bool init(const Options &Sampled, bool Early);

  bool runs() const { return Running; }
  /// The thread begins a task of \p Region after \p Events sampled lines.
  /// Returns when the next burst is to begin, in such events.
  uint64_t taskBegins(uint64_t Region, uint64_t Events);
  /// The same where a burst has ended in it.
  uint64_t burstEnded(uint64_t Region, uint64_t Events);
  void taskEnds(uint64_t Region, uint64_t Events);
  /// A burst begins after \p Events sampled lines: all lines are told from now
  /// on.
  void begin(uint64_t Region, uint64_t Events);
  /// A line that the running task accesses by instruction \p Position. False:
  /// that was the last one of the burst.
  bool line(uint64_t Line, bool Read, bool Write, bool Dependent,
            uint64_t Position, uint64_t Region);
  /// Those told so far are complete: another task, or none, goes on.
  void settle();

  /// What counted, by region and instance.
  struct Sum {
    uint64_t Region;
    uint32_t Instance; // 0: an empty row
    uint64_t Lines;
    double Weight;
  };
  const Vec<Sum> &sums() const { return Sums; }

  Burst *Next = nullptr; // of another thread

private:
  struct RegionState {
    uint64_t Region;
    uint64_t Began, Length; // events: of the task that runs, of the last one
    unsigned Bursts, InTask;
  };
  Options Full;
  Lane Caches;
  Vec<RegionState> Regions; // few: searched one by one
  Vec<Sum> Sums;            // open addressing
  size_t Used = 0;
  bool Running = false, Counts = false, Warm = false, Stale = false,
       MayBeEarly = false;
  uint64_t Ended = 0; // events: the last burst
  uint64_t Told = 0, BurstTold = 0, BurstMisses = 0, Region = 0;

  RegionState *stateOf(uint64_t Region);
  bool isEarly(const RegionState &R) const;
  uint64_t due(uint64_t Events) const;
  Sum *sumOf(uint32_t Instance);
  bool grow();

  // Sink of Lane.
  friend class Lane;
  void fetch(uint64_t Line, double Weight, bool Dependent);
  void expect(uint64_t) {}
  void writeBack(uint64_t) {}
  static uint32_t owner(uint64_t) { return 0; }
  void curve(uint32_t, unsigned, unsigned) {}
  void far(uint32_t, double, unsigned) {}
  void stall(uint64_t) {}
};

/// All threads' bursts.
void addBurst(Burst *B);

/// Corrects the weights of all rows by what bursts saw. Once, when nothing is
/// added any more, before rows get their final numbers.
void correctWeights();

} // namespace ekrec

#endif
