//===- RowBudget.h - the length of quanta -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the number of rows per page and quantum grows with a run, above all
// for random accesses. Quanta are short at first, so that short tasks have a
// course (format/Course.h). When there are more rows than Options::Rows, pairs
// of neighbouring quanta are joined, and so on: the longer a run, the coarser
// the time, and neither the record nor its memory grows any more.
// Makes: quanta of 2^level times their initial length, where level is the
// smallest with which all rows of the run fit; in the end those of
// Options::QuantumCycles, or longer ones. The result depends only on what was
// recorded: while the program runs, quanta are joined only if that is certain
// to be needed, and values are added in a fixed order (pairs of pairs of
// quanta).
// Not here: joining quanta of different tasks; a program with very many short
// tasks has as many rows as its tasks.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H
#define EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H

#include "Log.h"

namespace ekrec {

/// log2 of the number of short quanta in Options::QuantumCycles. Sampled
/// recording should be cheap, so there are no shorter ones.
inline unsigned shortLevels(const Options &O) { return O.Rate == 1 ? 4 : 0; }

/// The slot at which short quantum \p Number ends.
uint64_t quantumEnd(const Options &O, uint32_t Number);
/// The short quantum that contains \p Slots.
uint32_t quantumAt(const Options &O, uint64_t Slots);
/// The number of short quanta in \p Cycles.
double shortQuanta(const Options &O, uint64_t Cycles);

/// \p N rows were added to a log, whose lock is not held. Thread-safe.
void rowsAdded(uint64_t N);

/// Joins short quanta until all rows fit, when nothing is added any more.
/// Returns the level.
unsigned finishRows();

/// Joins short quanta of \p Level to those of Options::QuantumCycles, if these
/// are longer, and numbers them.
void endQuanta(unsigned Level);
/// log2 of the number of these that were joined.
unsigned joinedQuanta(unsigned Level);

/// Joins the quanta of \p L up to \p Level. Without \p Final, the last group of
/// each task is left, because it may grow. Quantum numbers do not change.
/// Returns the number of complete rows.
uint64_t joinQuanta(Log &L, unsigned Level, bool Final);

} // namespace ekrec

#endif
