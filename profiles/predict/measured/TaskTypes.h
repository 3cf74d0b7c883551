//===- TaskTypes.h - what tasks of a type took before -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of one region with the same predicted work, in phases that were
// handed the same where such have run, are of one type (Tahoe, Wu et al., SC
// 2018: same code region, same input size; its profiling database). What the
// first of them took, against what was predicted for it, holds for those to
// come, and for later runs (format/SeenTypes.h): an error of counts, caches or
// overlap that no hook can see repeats itself in every iteration.
// Makes: a Problem whose later tasks take as much longer, or shorter, wherever
// their data lies.
// Leaves out: why; and types that have not run yet.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_TASKTYPES_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_TASKTYPES_H

#include "problem/Request.h"

namespace evenkeel {

/// What is predicted of \p T, to be compared with what it takes: \p Seconds as
/// the model says for \p T with what earlier tasks of its type told.
TaskExpectation expectationOf(const PredictedTask &T, double Seconds);

/// Whether two amounts of predicted work, of one sort, are the same.
bool isSameWork(double A, double B);

/// What \p R.Measured tells of types, for later runs; \p P: any prediction made
/// for \p R. Few rows, however long the run: of tasks alike one each.
SeenTypes seenTypes(const Problem &P, const PlanRequest &R);
/// Adds the rows of \p More to those of \p To; at most MostSeenTypes stay.
void addSeenTypes(SeenTypes &To, const SeenTypes &More);
constexpr size_t MostSeenTypes = 4096;

/// Corrects tasks of \p P from phase \p From on by \p R.Measured and \p R.Seen;
/// counts them in P.Methods.
void refineByTaskTypes(Problem &P, const PlanRequest &R, uint32_t From);

} // namespace evenkeel

#endif
