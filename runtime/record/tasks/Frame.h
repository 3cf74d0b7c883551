//===- Frame.h - what one task does while it runs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the counts of the task that a thread is executing: accesses per
// instance, transfers per page within the present quantum, symbol values, and
// the dependences among the tasks it created. Frames nest like the tasks do.
// Makes: rows in the thread's Log when a quantum or the task ends; those name
// tasks and instances by internal numbers, which Stream.cpp puts in order.
// Not here: caches (Lane.h) and when tasks begin and end (Recorder.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_FRAME_H
#define EVENKEEL_RUNTIME_RECORD_FRAME_H

#include "Log.h"
#include "Symbols.h"
#include "format/ek_raw.h"
#include "record/caches/Lane.h"
#include "record/objects/Space.h"

namespace ekrec {

/// Among siblings: who wrote an address last, who read it since (OpenMP 5.0,
/// 2.17.11). Task numbers are internal ones, plus 1; 0 = none.
struct Siblings {
  struct Address {
    uint64_t Where;
    uint32_t LastOut;
    uint32_t Readers; // index into Readers_, plus 1
  };
  struct Reader {
    uint32_t Task, Next;
  };
  Vec<Address> Table; // open addressing; Where 0 = empty
  size_t Used;
  Vec<Reader> Readers_;
  Vec<uint32_t> Wave;    // tasks since the last wait
  Vec<uint8_t> HasNext;  // of those: some later sibling depends on it
  Vec<uint32_t> Beneath; // last parts of tasks of theirs, not waited for yet
  size_t WaveOfPart;     // tasks in Wave when the present part began
  Vec<uint32_t> Scratch;
  void clear() {
    for (Address &A : Table)
      A = {0, 0, 0};
    Used = 0;
    Readers_.clear();
    Wave.clear();
    HasNext.clear();
    Beneath.clear();
    WaveOfPart = 0;
  }
};

class Frame {
public:
  struct InstanceCount {
    uint64_t Reads, Writes;
    uint64_t Curve[LlcSizes];
    uint64_t FarLines;
    double FarWeight;
  };
  Frame *Parent = nullptr, *Spare = nullptr;
  Lane *TheLane = nullptr;
  uint32_t Task = 0;   // internal number of the part that runs
  uint32_t First = 0;  // and of the first part
  Vec<uint32_t> Preds; // what the part that runs waited for
  uint64_t SavedSlots = 0, SavedInstructions = 0;
  double Waited = 0; // latencies of memory, by the part that runs
  Siblings Children;
  const void *Omp = nullptr; // explicit tasks: libomp's

  void begin(uint32_t TaskNumber, Lane *L, Log *Where, const Options *Opts);
  /// Writes out all that is left of the part that runs, and goes on with part
  /// \p Next: its values of symbols are the latest ones.
  void nextPart(uint32_t Next);
  /// Writes out all that is left.
  void end();

  InstanceCount &countOf(uint32_t Instance) {
    if (__builtin_expect(Instance >= Counts.size(), 0))
      growCounts(Instance);
    return Counts[Instance < Counts.size() ? Instance : 0];
  }
  /// nullptr: there is none yet.
  InstanceCount *countIfAny(uint32_t Instance) {
    return Instance < Counts.size() ? &Counts[Instance] : nullptr;
  }
  void touched(uint32_t Instance) { Touched.push(Instance); }
  /// Program-wide symbols are gathered per task, too, and joined at the end.
  SymbolValues Symbols;

  // Sink of Lane.
  void fetch(uint64_t Line, double Weight, bool Dependent);
  /// Starts to load the row that fetch() will need, of rows that are more than
  /// the host's nearest caches hold.
  void expect(uint64_t Line) const {
    constexpr size_t Many = 4096;
    if (Rows.size() > Many)
      __builtin_prefetch(&Rows[placeOf(keyOf(lookup(Line * LineBytes)))], 1);
  }
  void writeBack(uint64_t Line);
  static uint32_t owner(uint64_t Line) {
    return lookup(Line * LineBytes).Instance;
  }
  void curve(uint32_t Owner, unsigned Sizes, unsigned Times);
  void far(uint32_t Owner, double Weight, unsigned Times) {
    if (!Owner)
      return;
    InstanceCount &C = countOf(Owner);
    C.FarLines += Times * O->Rate;
    C.FarWeight += Weight * Times * O->Rate;
  }
  void stall(uint64_t Cycles);

private:
  struct Row {
    uint64_t Key; // instance << 32 | page; 0 = empty
    uint32_t Reads, Writes, Dependent;
    double Weight;
  };
  const Options *O = nullptr;
  Log *Out = nullptr;
  uint32_t Quantum = 0;
  uint64_t QuantumEnd = 0; // slots
  Vec<Row> Rows;           // open addressing
  Vec<uint32_t> UsedRows;
  Vec<InstanceCount> Counts;
  Vec<uint32_t> Touched;

  static uint64_t keyOf(Page P) {
    return uint64_t(P.Instance) << 32 | P.Number;
  }
  /// Where the row is, or the search for it begins.
  size_t placeOf(uint64_t Key) const {
    return Key * 0x9E3779B97F4A7C15ull >> 20 & (Rows.size() - 1);
  }
  Row *rowOf(Page P);
  void flushQuantum();
  void writePart(const uint32_t *Next);
  void growCounts(uint32_t Instance);
};

} // namespace ekrec

#endif
