//===- Symbols.cpp - values of symbols in a running task ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the cell number of each symbol: a table that only grows, with a lock
// that is taken once per symbol and module.
//===----------------------------------------------------------------------===//
#include "Symbols.h"
#include <algorithm>
#include <atomic>

using namespace ekrec;

SymbolCell ekrec::NoCells[MaxCells];

namespace {

struct {
  std::atomic_flag Lock;
  uint32_t Used; // cell 0 stays empty
  uint64_t Ids[2 * MaxCells];
  uint32_t Numbers[2 * MaxCells]; // 0: empty; open addressing
} Table;

struct {
  std::atomic_flag Lock;
  Vec<uint64_t> Ids;
} Told;

/// The offset of the cell of \p Id in bytes; 0: none is left.
uint64_t placeOf(uint64_t Id) {
  while (Table.Lock.test_and_set(std::memory_order_acquire)) {
  }
  uint32_t I = static_cast<uint32_t>(Id * 0x9E3779B97F4A7C15ull >> 47);
  static_assert(2 * MaxCells == 1u << (64 - 47), "bits of the product");
  while (Table.Numbers[I] && Table.Ids[I] != Id)
    I = (I + 1) % (2 * MaxCells);
  if (!Table.Numbers[I] && Table.Used + 1 < MaxCells) {
    Table.Ids[I] = Id;
    Table.Numbers[I] = ++Table.Used;
  }
  uint64_t Place = Table.Numbers[I] * sizeof(SymbolCell);
  Table.Lock.clear(std::memory_order_release);
  return Place;
}

/// The sum of all values, including repetitions of the last one.
double sumOf(const SymbolCell &C) {
  return C.sum +
         static_cast<double>(C.last) * static_cast<double>(C.times - C.since);
}

void add(SymbolCell &C, int64_t Value) {
  if (!C.times) {
    C.last = C.min = C.max = Value;
  } else if (Value != C.last) {
    C.sum = sumOf(C);
    C.since = C.times;
    C.last = Value;
    C.min = Value < C.min ? Value : C.min;
    C.max = Value > C.max ? Value : C.max;
  }
  ++C.times;
}

} // namespace

extern "C" void __ek_rec_symbols(const uint64_t *Ids, uint64_t N) {
  while (Told.Lock.test_and_set(std::memory_order_acquire)) {
  }
  for (uint64_t I = 0; I < N; ++I)
    Told.Ids.push(Ids[I]);
  Told.Lock.clear(std::memory_order_release);
}

Vec<uint64_t> ekrec::knownSymbols() {
  while (Told.Lock.test_and_set(std::memory_order_acquire)) {
  }
  std::sort(Told.Ids.begin(), Told.Ids.end());
  size_t Kept = 0;
  for (size_t I = 0; I < Told.Ids.size(); ++I)
    if (!Kept || Told.Ids[Kept - 1] != Told.Ids[I])
      Told.Ids[Kept++] = Told.Ids[I];
  while (Told.Ids.size() > Kept)
    Told.Ids.pop();
  Vec<uint64_t> Out = Told.Ids;
  Told.Lock.clear(std::memory_order_release);
  return Out;
}

void SymbolValues::begin(uint32_t Number) {
  Task = Number;
  if (!Cells)
    Cells =
        static_cast<SymbolCell *>(reservePages(MaxCells * sizeof(SymbolCell)));
}

SymbolCell &SymbolValues::cellOf(Seen &S) {
  return S.Place ? *reinterpret_cast<SymbolCell *>(
                       reinterpret_cast<char *>(Cells) + S.Place)
                 : S.Own;
}

void SymbolValues::see(uint64_t Id, int64_t Value, uint32_t Flags,
                       uint64_t *Place) {
  uint64_t At = __atomic_load_n(Place, __ATOMIC_RELAXED);
  if (!At && (At = placeOf(Id)))
    __atomic_store_n(Place, At, __ATOMIC_RELAXED);
  if (!Cells)
    At = 0;
  Seen *S = nullptr;
  if (At) {
    Seen Probe = {Id, Flags, static_cast<uint32_t>(At), Value, {}};
    SymbolCell &C = cellOf(Probe);
    if (C.times || All.push(Probe))
      add(C, Value);
    return;
  }
  for (Seen &X : All)
    if (X.Id == Id)
      S = &X;
  if (!S && All.push({Id, Flags, 0, Value, {}}))
    S = &All.back();
  if (S)
    add(S->Own, Value);
}

void SymbolValues::end(Vec<ek_raw_symbol> *Out, const uint32_t *Next) {
  size_t Kept = 0;
  for (Seen &S : All) {
    SymbolCell &C = cellOf(S);
    if (Out)
      Out->push({S.Id, Task, S.Flags, C.times, S.First, C.last, C.min, C.max,
                 sumOf(C)});
    const int64_t Last = C.last;
    C = SymbolCell();
    if (!Next || S.Flags)
      continue;
    add(C, Last);
    All[Kept++] = S;
  }
  while (All.size() > Kept)
    All.pop();
  Task = Next ? *Next : 0;
}
