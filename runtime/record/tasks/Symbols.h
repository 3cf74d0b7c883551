//===- Symbols.h - values of symbols while a task runs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one cell per symbol and task: how often a value was seen, the last,
// least and largest one, and their sum. Instrumented code brings cells up to
// date itself (record_abi.h) once they hold a value; the first one comes
// through __ek_rec_symbol. And which symbols there are at all: one that nobody
// came by had no executions, which is not the same as not being measured.
// Numbers of cells are the program's: assigned when a
// symbol is first seen, kept in the modules' own variables.
// Makes: a task's rows for the stream.
// Not here: which values are told, and when (passes/Record.cpp).
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

/// So many symbols have a cell; others are looked for one by one.
constexpr uint32_t MaxCells = 1 << 16;

/// Cells of a thread that runs no recorded task: all of them empty.
extern SymbolCell NoCells[MaxCells];

/// Symbols that the program's code tells, if it comes by them; sorted.
Vec<uint64_t> knownSymbols();

/// One task's symbols. Used by one thread at a time.
class SymbolValues {
public:
  /// Makes room; without memory every value comes through see().
  void begin(uint32_t Task);
  SymbolCell *cells() const { return Cells ? Cells : NoCells; }

  /// A value of \p Id, which the module knows by the cell at \p Place (bytes;
  /// 0 until one is assigned). \p Flags: ProgramWide, TripCount.
  void see(uint64_t Id, int64_t Value, uint32_t Flags, uint64_t *Place);

  /// Appends the task's rows to \p Out if there is one, and ends the task.
  /// With \p Next, goes on as that one: loops that it runs through are counted
  /// there; what was computed before still holds.
  void end(Vec<ek_raw_symbol> *Out, const uint32_t *Next);

private:
  struct Seen {
    uint64_t Id;
    uint32_t Flags;
    uint32_t Place; // of its cell, in bytes; 0: Own
    int64_t First;
    SymbolCell Own;
  };
  uint32_t Task = 0;
  SymbolCell *Cells = nullptr;
  Vec<Seen> All; // in the order in which they were first seen

  SymbolCell &cellOf(Seen &S);
};

} // namespace ekrec

#endif
