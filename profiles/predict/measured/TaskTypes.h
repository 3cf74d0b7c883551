//===- TaskTypes.h - correct task times by task type ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of one region with the same predicted work (in phases that were
// passed the same values, if such phases have run) are of one type (Tahoe, Wu
// et al., SC 2018: same code region, same input size; its profiling database).
// The ratio of measured to predicted time of the first of them holds for later
// ones, and for later runs (format/SeenTypes.h): errors of counts, caches or
// overlap that no hook can see repeat in every iteration.
// Makes: a Problem whose later tasks take longer, or shorter, by that ratio,
// wherever their data lies.
// Not here: the cause of the error; types that have not run yet.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_TASKTYPES_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_TASKTYPES_H

#include "problem/Request.h"

namespace evenkeel {

/// The prediction for \p T, to be compared with its measured time: \p Seconds
/// is the model's time for \p T, corrected by earlier tasks of its type.
TaskExpectation expectationOf(const PredictedTask &T, double Seconds);

/// Whether two amounts of predicted work, of the same sort, are equal.
bool isSameWork(double A, double B);

/// What \p R.Measured shows about types, for later runs; \p P: any prediction
/// made for \p R. Returns few rows, however long the run: one for each type.
SeenTypes seenTypes(const Problem &P, const PlanRequest &R);
/// Adds the rows of \p More to those of \p To; at most MostSeenTypes stay.
void addSeenTypes(SeenTypes &To, const SeenTypes &More);
constexpr size_t MostSeenTypes = 4096;

/// Corrects tasks of \p P from phase \p From on by \p R.Measured and \p R.Seen;
/// counts them in P.Methods.
void refineByTaskTypes(Problem &P, const PlanRequest &R, uint32_t From);

} // namespace evenkeel

#endif
