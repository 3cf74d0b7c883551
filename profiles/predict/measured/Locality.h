//===- Locality.h - correct gathers by measured task times ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how scattered the data is that a task gathers is a property of the
// input that no count expression contains (for example, the numbering of a
// mesh's neighbours). At a hook, the times of finished tasks show it, and
// later tasks are predicted accordingly.
// Makes: a Problem with corrected gathered lines in later phases; and, if
// samples were taken, thread times corrected for what samples do not explain.
// Not here: counters; only times are used, which every machine has.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_LOCALITY_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_LOCALITY_H

#include "models/Model.h"
#include "problem/Request.h"

namespace evenkeel {

/// Corrects \p P by \p R.Measured; counts the corrected tasks in P.Methods.
void refineLocality(Problem &P, const PlanRequest &R, const Model &Mod);

/// For teams whose accesses depend on data, corrects what samples do not
/// explain: the measured time of threads in phases of a kind, over the time
/// predicted with everything known now and with data placed as it was
/// (MeasuredPhase::Placed). The same factor is assumed for the next phase of
/// the kind; core time and exposed latencies are scaled alike, as in
/// TaskTypes.h.
void refineByOwnTimes(Problem &P, const PlanRequest &R, const Model &Mod);

} // namespace evenkeel

#endif
