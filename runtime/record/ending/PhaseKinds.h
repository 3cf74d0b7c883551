//===- PhaseKinds.h - which kinds of phases have been seen ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: phases are of one kind where the same sync points begin and end them
// and their threads execute the same region; two phases of a kind are alike
// where they execute as many instructions. A kind has been seen once three
// phases of it in a row were alike.
// Makes: the verdict whether a record may end here. It may where
//   * an iteration is over, that is, another phase of the kind that took the
//     most time of those that have been seen;
//   * in the last two iterations, kinds that have been seen took nearly all of
//     the time;
//   * they took most of the time of all phases so far, so that loops in front
//     of the program's main one do not end the record;
//   * the program has had some time at all.
// Time is that of the simulated core, with a fixed price for each line that
// came from memory: the verdict is the same in every run.
// Not here: clocks, other ranks, and what happens then (Until.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PHASEKINDS_H
#define EVENKEEL_RUNTIME_RECORD_PHASEKINDS_H

#include "format/ek_until.h"
#include "record/host/Vec.h"
#include <cstdint>

namespace ekrec {

/// What begins, fills and ends a phase.
struct PhaseKey {
  uint64_t Before; // last sync point in front of it; 0: none
  uint64_t Sync;   // that ends it; 0: the fork of a team
  uint64_t Region;
};

/// What its tasks did, summed up.
struct PhaseWork {
  uint64_t Instructions = 0;
  uint64_t Cycles = 0; // with what was waited for memory
};

class PhaseKinds {
public:
  /// So many phases of a kind have to be alike, and so much of the work of the
  /// larger one two of them may differ in.
  static constexpr unsigned Enough = 3;
  static constexpr double Alike = 0.02;
  /// Parts of the time that kinds which were seen have to make up: of the last
  /// two iterations, and of all.
  static constexpr double MostOfIteration = 0.9, MostOfAll = 0.5;

  /// \p LeastCycles: shorter records do not end early.
  explicit PhaseKinds(uint64_t LeastCycles) : LeastCycles(LeastCycles) {}

  /// The next phase is over.
  void ended(const PhaseKey &Key, const PhaseWork &Work);

  /// Whether the record may end behind the last phase.
  bool seen() const { return EndsIteration && Missing == EK_UNSEEN_NOTHING; }
  /// What was missing at the last iteration's end: EK_UNSEEN_*.
  uint32_t missing() const;
  /// Part of the time that kinds which have been seen make up; 0 to 1.
  double seenShare() const {
    return Total ? double(SeenTotal) / double(Total) : 0;
  }
  uint32_t kinds() const { return static_cast<uint32_t>(Kinds.size()); }

private:
  struct Kind {
    PhaseKey Key;
    uint32_t Times, Row;   // phases, and how many of the last were alike
    uint64_t Instructions; // of the first of these
    uint64_t Total;        // cycles
    uint32_t Last[Enough]; // phases; the latest first
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
  bool Repeats = false;              // some kind came often enough
  bool EndsIteration = false;        // the last phase
  uint32_t Missing = EK_UNSEEN_SHORT;

  uint32_t kindOf(const PhaseKey &Key);
  bool grow();
  uint32_t judge() const;
};

} // namespace ekrec

#endif
