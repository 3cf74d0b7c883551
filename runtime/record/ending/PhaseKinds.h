//===- PhaseKinds.h - the kinds of phases seen so far -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: phases are of one kind if the same sync points begin and end them and
// their threads execute the same region; two phases of a kind are alike if they
// execute nearly the same number of instructions. A kind has been seen when
// three of its phases in a row were alike.
// Makes: the verdict whether the record may end here. It may if
//   * an iteration has ended, that is, another phase of the kind that took most
//     time among those seen;
//   * in the last two iterations, kinds that have been seen took nearly all of
//     the time;
//   * they took most of the time of all phases so far, so that loops before the
//     program's main loop do not end the record;
//   * the program has had a minimum of time.
// Time is that of the simulated core, with a fixed cost for each line from
// memory, so the verdict is the same in every run.
// Not here: clocks, other ranks, and ending the record (Until.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PHASEKINDS_H
#define EVENKEEL_RUNTIME_RECORD_PHASEKINDS_H

#include "core/tuning.h"
#include "format/ek_until.h"
#include "record/host/Vec.h"
#include <cstdint>

namespace ekrec {

/// What begins, fills and ends a phase.
struct PhaseKey {
  uint64_t Before; // the last sync point before it; 0: none
  uint64_t Sync;   // its end; 0: the fork of a team
  uint64_t Region;
};

/// The sum of its tasks' work.
struct PhaseWork {
  uint64_t Instructions = 0;
  uint64_t Cycles = 0; // including waiting for memory
};

class PhaseKinds {
public:
  /// The number of phases of a kind that have to be alike, and by which
  /// fraction of the larger one their work may differ.
  static constexpr unsigned Enough = EK_ALIKE_PHASES;
  static constexpr double Alike = EK_ALIKE_WORK;
  /// The minimum share of time of kinds that were seen: in the last two
  /// iterations, and overall.
  static constexpr double MostOfIteration = EK_SEEN_OF_ITERATION,
                          MostOfAll = EK_SEEN_OF_ALL;

  /// \p LeastCycles: shorter records do not end early.
  explicit PhaseKinds(uint64_t LeastCycles) : LeastCycles(LeastCycles) {}

  /// Call when the next phase has ended.
  void ended(const PhaseKey &Key, const PhaseWork &Work);

  /// Whether the record may end after the last phase.
  bool seen() const { return EndsIteration && Missing == EK_UNSEEN_NOTHING; }
  /// What was missing at the end of the last iteration: EK_UNSEEN_*.
  uint32_t missing() const;
  /// The share of time of kinds that have been seen; 0 to 1.
  double seenShare() const {
    return Total ? double(SeenTotal) / double(Total) : 0;
  }
  uint32_t kinds() const { return static_cast<uint32_t>(Kinds.size()); }

private:
  struct Kind {
    PhaseKey Key;
    uint32_t Times, Row;   // number of phases; how many of the last were alike
    uint64_t Instructions; // of the first of these
    uint64_t Total;        // cycles
    uint32_t Last[Enough]; // the latest phases, the last one first
    bool isSeen() const { return Row >= Enough; }
  };
  struct Phase {
    uint32_t Kind;
    uint64_t Cycles;
  };
  uint64_t LeastCycles;
  Vec<Kind> Kinds;
  Vec<uint32_t> Table; // open addressing: index into Kinds, plus 1
  Vec<Phase> Phases;
  uint64_t Total = 0, SeenTotal = 0; // cycles
  uint32_t Heaviest = ~0u;           // of the kinds that have been seen
  bool Repeats = false;              // some kind occurred often enough
  bool EndsIteration = false;        // the last phase
  uint32_t Missing = EK_UNSEEN_SHORT;

  uint32_t kindOf(const PhaseKey &Key);
  bool grow();
  uint32_t judge() const;
};

} // namespace ekrec

#endif
