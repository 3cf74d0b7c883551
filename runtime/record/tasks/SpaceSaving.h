//===- SpaceSaving.h - the most frequent rows, in bounded memory *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the space-saving summary (Metwally, Agrawal, El Abbadi 2005): at most
// Kept rows with counts. A row that is not among them takes the place of one
// with the smallest count, and continues that count, which is then the most by
// which its own is too high. So counts are never too low, and too high by at
// most total() / Kept.
// Not here: rows' objects and threads (RowTables.h). All zeros is a valid empty
// summary.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SPACESAVING_H
#define EVENKEEL_RUNTIME_RECORD_SPACESAVING_H

#include <cstdint>

namespace ekrec {

/// \p Kept: a power of two.
template <uint32_t Kept> class SpaceSaving {
public:
  struct Entry {
    uint64_t Row, Count, Over;
  };

  void add(uint64_t Row, uint64_t Times = 1) {
    Total += Times;
    uint32_t Slot = find(Row);
    if (Slots[Slot]) {
      const uint32_t E = Slots[Slot] - 1;
      Entries[E].Count += Times;
      return sink(Places[E]);
    }
    if (Used < Kept) {
      const uint32_t E = Used++;
      Entries[E] = {Row, Times, 0};
      Slots[Slot] = E + 1;
      put(E, E);
      return rise(E);
    }
    const uint32_t E = Heap[0];
    erase(find(Entries[E].Row));
    const uint64_t Least = Entries[E].Count;
    Entries[E] = {Row, Least + Times, Least};
    Slots[find(Row)] = E + 1;
    sink(0);
  }

  uint32_t size() const { return Used; }
  const Entry &operator[](uint32_t I) const { return Entries[I]; }
  uint64_t total() const { return Total; }
  /// The most that a row without an entry can have.
  uint64_t error() const { return Used < Kept ? 0 : Entries[Heap[0]].Count; }

private:
  static constexpr uint32_t NumSlots = 2 * Kept;
  static_assert(!(Kept & (Kept - 1)), "masks replace divisions");
  Entry Entries[Kept];
  uint32_t Heap[Kept];      // entries; the smallest count first
  uint32_t Places[Kept];    // of entries in Heap
  uint32_t Slots[NumSlots]; // by row, open addressing: entry + 1; 0: empty
  uint32_t Used;
  uint64_t Total;

  static uint32_t slotOf(uint64_t Row) {
    return uint32_t(Row * 0x9E3779B97F4A7C15ull >> 32) & (NumSlots - 1);
  }
  /// The slot of the row, or the empty one where it belongs.
  uint32_t find(uint64_t Row) const {
    uint32_t S = slotOf(Row);
    while (Slots[S] && Entries[Slots[S] - 1].Row != Row)
      S = (S + 1) & (NumSlots - 1);
    return S;
  }
  /// Empties the slot, and moves up what would not be found behind it.
  void erase(uint32_t Hole) {
    for (uint32_t S = Hole;;) {
      Slots[Hole] = 0;
      uint32_t Home;
      do {
        S = (S + 1) & (NumSlots - 1);
        if (!Slots[S])
          return;
        Home = slotOf(Entries[Slots[S] - 1].Row);
      } while (((S - Home) & (NumSlots - 1)) < ((S - Hole) & (NumSlots - 1)));
      Slots[Hole] = Slots[S];
      Hole = S;
    }
  }

  uint64_t countAt(uint32_t Place) const { return Entries[Heap[Place]].Count; }
  void put(uint32_t Place, uint32_t E) {
    Heap[Place] = E;
    Places[E] = Place;
  }
  void rise(uint32_t At) {
    const uint32_t E = Heap[At];
    while (At && Entries[E].Count < countAt((At - 1) / 2)) {
      put(At, Heap[(At - 1) / 2]);
      At = (At - 1) / 2;
    }
    put(At, E);
  }
  void sink(uint32_t At) {
    const uint32_t E = Heap[At];
    for (uint32_t Below; (Below = 2 * At + 1) < Used; At = Below) {
      if (Below + 1 < Used && countAt(Below + 1) < countAt(Below))
        ++Below;
      if (Entries[E].Count <= countAt(Below))
        break;
      put(At, Heap[Below]);
    }
    put(At, E);
  }
};

} // namespace ekrec

#endif
