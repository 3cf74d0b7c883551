//===- RowSample.h - look-ups of some rows, in bounded memory -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: spatial sampling (Waldspurger et al., SHARDS, 2015): a row is counted
// if the hash of its number is below a threshold, which is halved whenever more
// than Kept rows are counted. What is left are exact counts of one row in
// 2^shift(), chosen without regard to its use, however long the stream: what
// share of look-ups the hottest tenth of all rows has is what the hottest tenth
// of these has. Rows are numbered alike in all threads, so samples can be
// joined.
// Not here: the hottest rows themselves (SpaceSaving.h). All zeros is a valid
// empty sample.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWSAMPLE_H
#define EVENKEEL_RUNTIME_RECORD_ROWSAMPLE_H

#include "format/rows/ek_rows.h"
#include <cstdint>

namespace ekrec {

/// \p Kept: a power of two.
template <uint32_t Kept> class RowSample {
public:
  void add(uint64_t Row, uint64_t Times = 1) {
    if (!ek_row_sampled(Row, Shift))
      return;
    uint32_t Slot = find(Row);
    while (!Slots[Slot].Count && Used == Kept) {
      halve();
      if (!ek_row_sampled(Row, Shift))
        return;
      Slot = find(Row);
    }
    Used += !Slots[Slot].Count;
    Slots[Slot].Row = Row;
    Slots[Slot].Count += Times;
  }

  /// One row in 2^shift() is counted.
  uint32_t shift() const { return Shift; }
  uint32_t size() const { return Used; }
  /// Calls \p Fn with each row and its look-ups, in no order.
  template <typename F> void each(F Fn) const {
    for (const Entry &E : Slots)
      if (E.Count)
        Fn(E.Row, E.Count);
  }

private:
  struct Entry {
    uint64_t Row, Count; // Count 0: empty
  };
  static constexpr uint32_t NumSlots = 2 * Kept;
  static_assert(!(Kept & (Kept - 1)), "masks replace divisions");
  Entry Slots[NumSlots]; // by row, open addressing
  uint32_t Used, Shift;

  uint32_t find(uint64_t Row) const {
    // Other bits than those that choose rows.
    auto S = uint32_t(ek_row_hash(Row)) & (NumSlots - 1);
    while (Slots[S].Count && Slots[S].Row != Row)
      S = (S + 1) & (NumSlots - 1);
    return S;
  }
  /// Leaves out the rows above half of the threshold. One after the other is
  /// taken out and put back, so that no copy is needed.
  void halve() {
    ++Shift;
    Used = 0;
    // Where a run begins, nothing before it can have gone past its place.
    uint32_t Begin = 0;
    while (Slots[Begin].Count)
      ++Begin; // there are empty ones: half of all
    for (uint32_t K = 1; K <= NumSlots; ++K) {
      Entry &E = Slots[(Begin + K) & (NumSlots - 1)];
      if (!E.Count)
        continue;
      const Entry Its = E;
      E.Count = 0;
      if (!ek_row_sampled(Its.Row, Shift))
        continue;
      Slots[find(Its.Row)] = Its;
      ++Used;
    }
  }
};

} // namespace ekrec

#endif
