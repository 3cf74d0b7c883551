//===- Frame.h - the state of one running task ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the counts of a thread's current task: accesses per instance,
// transfers per page within the current quantum, symbol values, and the
// dependences among the tasks it created. Frames are nested like tasks.
// Makes: rows in the thread's Log at the end of a quantum or of the task, with
// internal numbers of tasks and instances, which Stream.cpp replaces.
// Not here: caches (Lane.h); when tasks begin and end (RunningTasks.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_FRAME_H
#define EVENKEEL_RUNTIME_RECORD_FRAME_H

#include "Log.h"
#include "Symbols.h"
#include "format/ek_raw.h"
#include "record/caches/Lane.h"
#include "record/objects/Space.h"

namespace ekrec {

/// Among siblings: the last writer of an address, and its readers since then
/// (OpenMP 5.0, 2.17.11). Task numbers are internal ones plus 1; 0 = none.
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
  Vec<uint32_t> Wave;   // tasks since the last wait
  Vec<uint8_t> HasNext; // for each of those: a later sibling depends on it
  Vec<uint32_t>
      Beneath; // last parts of their descendants that were not waited for yet
  size_t WaveOfPart; // tasks in Wave when the current part began
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
  uint32_t Task = 0;   // internal number of the current part
  uint32_t First = 0;  // and of the first part
  Vec<uint32_t> Preds; // what the current part waited for
  uint64_t SavedSlots = 0, SavedInstructions = 0;
  double Waited = 0; // memory latencies in the current part
  Siblings Children;
  const void *Omp = nullptr; // libomp's task, for explicit tasks

  void begin(uint32_t TaskNumber, Lane *L, Log *Where, const Options *Opts);
  /// Writes the rest of the current part and continues with part \p Next, which
  /// keeps the latest values of symbols.
  void nextPart(uint32_t Next);
  /// Writes the rest.
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
  /// Program-wide symbols are also collected per task, and joined at the end.
  SymbolValues Symbols;

  // Sink of Lane.
  void fetch(uint64_t Line, double Weight, bool Dependent);
  /// Prefetches the row for fetch(), if there are more rows than fit in the
  /// host's nearest caches.
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
  /// The place of the row, or the start of the search for it.
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
