//===- RowBudget.h - how long quanta have to be -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: rows per page and quantum are what grows with a run, above all where
// accesses are random. Quanta begin short, so that short tasks have a course
// (format/Course.h). When there are more than Options::Rows, two neighbouring
// quanta become one, and so on: time is seen more coarsely the longer a run is,
// and neither the record nor the memory for it grows any more.
// Makes: short quanta of 2^level times their length, where level is the least
// with which all rows of the run fit; in the end those of
// Options::QuantumCycles, or longer ones. It depends on what was recorded
// alone: while the program runs, quanta are joined only once it is certain that
// they will be; values are added in one order, pairs of pairs of quanta.
// Not here: joining quanta of different tasks; a program of very many short
// tasks has as many rows as they have.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H
#define EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H

#include "Log.h"

namespace ekrec {

/// So many times 2 a short quantum goes into one of Options::QuantumCycles.
/// Sampled recording is to be cheap: there none is shorter.
inline unsigned shortLevels(const Options &O) { return O.Rate == 1 ? 4 : 0; }

/// Slots at which short quantum \p Number is over.
uint64_t quantumEnd(const Options &O, uint32_t Number);
/// The short quantum that has \p Slots.
uint32_t quantumAt(const Options &O, uint64_t Slots);
/// How many of them \p Cycles are.
double shortQuanta(const Options &O, uint64_t Cycles);

/// \p N rows were added to some log; its lock is not held. Thread-safe.
void rowsAdded(uint64_t N);

/// Joins short quanta until they fit, when nothing is added any more. The
/// level.
unsigned finishRows();

/// Joins short quanta of \p Level to those of Options::QuantumCycles, if they
/// are shorter, and numbers them.
void endQuanta(unsigned Level);
/// How many times 2 of those were joined.
unsigned joinedQuanta(unsigned Level);

/// Joins the quanta of \p L up to \p Level; without \p Final, the last group of
/// each task waits, since it may go on. Quantum numbers stay as they were.
/// Returns the rows of what is complete.
uint64_t joinQuanta(Log &L, unsigned Level, bool Final);

} // namespace ekrec

#endif
