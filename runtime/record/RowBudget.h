//===- RowBudget.h - how long quanta have to be -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: rows per page and quantum are what grows with a run, above all where
// accesses are random. When there are more than Options::Rows, two neighbouring
// quanta become one, and so on: time is seen more coarsely the longer a run is,
// and neither the record nor the memory for it grows any more.
// Makes: quanta of 2^level times Options::QuantumCycles, where level is the
// least with which all rows of the run fit. It depends on what was recorded
// alone: while the program runs, quanta are joined only once it is certain that
// they will be; values are added in one order, pairs of pairs of quanta.
// Leaves out: joining quanta of different tasks; a program of very many short
// tasks has as many rows as they have.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H
#define EVENKEEL_RUNTIME_RECORD_ROWBUDGET_H

#include "Frame.h"

namespace ekrec {

/// \p N rows were added to some log; its lock is not held. Thread-safe.
void rowsAdded(uint64_t N);

/// Joins quanta for good, when nothing is added any more. The level.
unsigned finishRows();

/// Joins the quanta of \p L up to \p Level; without \p Final, the last group of
/// each task waits, since it may go on. Quantum numbers stay as they were.
/// Returns the rows of what is complete.
uint64_t joinQuanta(Log &L, unsigned Level, bool Final);

} // namespace ekrec

#endif
