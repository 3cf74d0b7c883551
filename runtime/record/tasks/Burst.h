//===- Burst.h - short parts of a sampled run, in full ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a sampled run follows one line of each page. It counts the lines from
// memory, but sees neither which loads wait together nor the effect of a
// prefetcher (Lane.h). So from time to time, a thread reports all lines to the
// recorder (`follow` in record_abi.h), for about forty thousand misses, and
// they go through full caches beside the sampled ones: first to warm these,
// then to be counted.
// Makes: for each region and allocation site, the average part of a latency for
// which a line from memory waited; the weights of the sampled lines are
// corrected with it when the record is written. Systematic sampling with
// functional warming: Wunderlich et al. 2003 (SMARTS).
//   The first bursts of two threads of a team go to regions that had few. They
// also go to tasks longer than any before, each time one has run twice as long.
// All others are so rare that a 64th of all lines is reported. A burst of a
// long task counts for all events until the next one. The start of a burst
// depends only on counts, so equal runs have equal bursts.
// Not here: the number of misses in a burst, which is no estimate of the total.
// Not thread-safe: a burst belongs to one thread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_BURST_H
#define EVENKEEL_RUNTIME_RECORD_BURST_H

#include "core/tuning.h"
#include "record/caches/Lane.h"
#include "record/host/Vec.h"

namespace ekrec {

class Burst {
public:
  /// Misses that warm the caches (the lines of L2 and of the part of the last
  /// level); the number that suffices in a later burst if no more lines than
  /// that, or RewarmReported reported lines, have passed since the last one;
  /// and the misses of a burst that count. And the maximum of reported lines
  /// for each of these.
  static constexpr uint64_t Warming = EK_BURST_WARMING,
                            Rewarming = EK_BURST_REWARMING,
                            Counting = EK_BURST_COUNTING,
                            RewarmReported = EK_BURST_REWARM_LINES,
                            MostReported = EK_BURST_MOST_LINES;
  /// Bursts of a region that come before they are due, and the number of these
  /// in one task: other tasks may use other objects. The number of lines that a
  /// thread reports in them; and the distance in sampled lines to the next one
  /// in a task.
  static constexpr unsigned MostEarly = EK_EARLY_BURSTS,
                            MostInTask = EK_EARLY_BURSTS_OF_A_TASK;
  static constexpr uint64_t EarlyReported = EK_EARLY_LINES,
                            EarlyGap = EK_EARLY_GAP;
  /// At most one in this many lines is reported.
  static constexpr uint64_t OneIn = EK_REPORTED_ONE_IN;

  /// False: no memory. \p Early: bursts may come before they are due.
  bool init(const Options &Sampled, bool Early);

  bool runs() const { return Running; }
  /// The thread begins a task of region \p Which after \p Events sampled lines.
  /// Returns the number of events at which the next burst begins.
  uint64_t taskBegins(uint64_t Which, uint64_t Events);
  /// The same after a burst has ended in the task.
  uint64_t burstEnded(uint64_t Which, uint64_t Events);
  void taskEnds(uint64_t Which, uint64_t Events);
  /// A burst begins after \p Events sampled lines: all lines are reported from
  /// now on.
  void begin(uint64_t Which, uint64_t Events);
  /// An access to a line by instruction \p Position of the running task, in
  /// region \p Of. False: the burst ends with this line.
  bool line(uint64_t Line, bool Read, bool Write, bool Dependent,
            uint64_t Position, uint64_t Of);
  /// The lines so far are complete: another task, or none, continues.
  void settle();

  /// Counted misses by region and instance; and extrapolated from each burst to
  /// its stretch: the task's events until the next burst, for the first one
  /// also those before it.
  struct Sum {
    uint64_t Region;
    uint32_t Instance; // 0: an empty row
    uint64_t Lines;
    double StretchLines, StretchWeight;
    double NewLines, NewWeight; // of the last burst, whose stretch goes on
  };
  /// Complete after stretchEnds().
  const Vec<Sum> &sums() const { return Sums; }
  /// The stretch of the last burst ends after \p Events sampled lines.
  void stretchEnds(uint64_t Events);
  void stretchEnds() { stretchEnds(Ended); }

  Burst *Next = nullptr; // of another thread

private:
  struct RegionState {
    uint64_t Region;
    uint64_t Began, Length,
        Longest; // events: start of the running task, length of the
                 // last one and of the longest one
    unsigned Bursts, InTask;
  };
  Options Full;
  Lane Caches;
  Vec<RegionState> Regions; // few: linear search
  Vec<Sum> Sums;            // open addressing
  size_t Used = 0;
  bool Running = false, Counts = false, Warm = false, Stale = false,
       Shared = false, MayBeEarly = false;
  uint64_t Ended = 0;        // event at the end of the last burst
  uint64_t StretchBegan = 0; // event; of the last burst
  uint64_t CountedLines = 0; // reported by the last burst while it counted
  bool Fetched = false;      // a line, since the last stretch ended
  uint64_t Reported = 0, BurstReported = 0, BurstMisses = 0, Region = 0;

  RegionState *stateOf(uint64_t Which);
  bool isEarly(const RegionState &R) const;
  /// Events of a task that is longer than a burst.
  static constexpr uint64_t LongTask = MostReported / SampledRate + 1;
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

/// Adds a burst to the list of all threads.
void addBurst(Burst *B);

/// Corrects the weights of all rows by the results of bursts. Call once, when
/// nothing is added any more, before rows get their final numbers.
void correctWeights();

} // namespace ekrec

#endif
