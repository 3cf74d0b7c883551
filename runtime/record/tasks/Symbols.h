//===- Symbols.h - values of symbols in a running task ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one cell per symbol and task: how often a value was seen, the last,
// least and largest value, and their sum. Instrumented code updates a cell
// itself (record_abi.h) once it has a value; the first value comes through
// __ek_rec_symbol. Also knows all symbols of the program: a symbol that was
// never reached had no executions, which is different from not being measured.
// Cell numbers are global: assigned when a symbol is first seen, and stored in
// variables of the modules.
// Makes: a task's rows for the stream.
// Not here: which values are reported, and when (passes/record/Symbols.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SYMBOLS_H
#define EVENKEEL_RUNTIME_RECORD_SYMBOLS_H

#include "format/ek_raw.h"
#include "record/host/Vec.h"
#define EK_REC_INSIDE
#include "record/abi/record_abi.h"

namespace ekrec {

/// Bits of ek_raw_symbol::reserved while the program runs.
constexpr uint32_t ProgramWide = 1, TripCount = 2;

using SymbolCell = ek_rec_cell;

/// The number of symbols with a cell; others are searched one by one.
constexpr uint32_t MaxCells = 1 << 16;

/// The cells of a thread without a recorded task: all empty.
extern SymbolCell NoCells[MaxCells];

/// Symbols that the program's code may report; sorted.
Vec<uint64_t> knownSymbols();

/// The symbols of one task. Used by one thread at a time.
class SymbolValues {
public:
  /// Makes room; without memory, every value comes through see().
  void begin(uint32_t Number);
  SymbolCell *cells() const { return Cells ? Cells : NoCells; }

  /// A value of \p Id, whose cell the module knows by \p Place (bytes; 0 until
  /// it is assigned). \p Flags: ProgramWide, TripCount.
  void see(uint64_t Id, int64_t Value, uint32_t Flags, uint64_t *Place);

  /// Appends the task's rows to \p Out, if given, and ends the task. With \p
  /// Next, continues as that task: unfinished loops are counted there, and
  /// earlier values still hold.
  void end(Vec<ek_raw_symbol> *Out, const uint32_t *Next);

private:
  struct Seen {
    uint64_t Id;
    uint32_t Flags;
    uint32_t Place; // offset of its cell in bytes; 0: Own
    int64_t First;
    SymbolCell Own;
  };
  uint32_t Task = 0;
  SymbolCell *Cells = nullptr;
  Vec<Seen> All; // in the order of first use

  SymbolCell &cellOf(Seen &S);
};

} // namespace ekrec

#endif
