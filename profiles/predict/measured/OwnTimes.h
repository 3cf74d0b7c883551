//===- OwnTimes.h - correct tasks by their own times ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: threads do the same again in phases of a kind, so what a prediction
// was off in one holds for the next.
// Makes: a Problem with thread times corrected for what sizes, values and
// samples do not explain.
// Not here: other tasks of the same type (TaskTypes.h); counters: only times
// are used, which every machine has.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_OWNTIMES_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_OWNTIMES_H

#include "models/Model.h"
#include "problem/Request.h"

namespace evenkeel {

/// Corrects \p P by \p R.Measured and counts the corrected tasks in P.Methods:
/// by the measured time of threads in phases of a kind, over the time
/// predicted with everything known now and with data placed as it was
/// (MeasuredPhase::Placed). The same factor is assumed for the next phase of
/// the kind; core time and exposed latencies are scaled alike, as in
/// TaskTypes.h.
void refineByOwnTimes(Problem &P, const PlanRequest &R, const Model &Mod);

} // namespace evenkeel

#endif
