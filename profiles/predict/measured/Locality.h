//===- Locality.h - what measured task times tell about gathers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how far apart the data lies that a task gathers is a property of the
// input that no count expression holds (whether the neighbours in a mesh are
// numbered alike). At a hook, the times of the tasks that have run are known,
// and tell it for those to come: design, section 6, "refined at run time".
// Makes: a Problem whose later phases have their gathered lines corrected; and,
// where samples were taken, their threads' times by what samples leave open.
// Leaves out: counters; only times are taken, which every machine has.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_LOCALITY_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_LOCALITY_H

#include "models/Model.h"
#include "problem/Request.h"

namespace evenkeel {

/// Corrects \p P by \p R.Measured; counts the corrected tasks in P.Methods.
void refineLocality(Problem &P, const PlanRequest &R, const Model &Mod);

/// What samples do not tell, of teams that fetch what data say: how long
/// threads took in phases of a kind, over what is predicted for those with all
/// that is known now and data lying as they did (MeasuredPhase::Placed). The
/// same is taken to be so in the next of the kind; core time and exposed
/// latencies are scaled alike, as in TaskTypes.h.
void refineByOwnTimes(Problem &P, const PlanRequest &R, const Model &Mod);

} // namespace evenkeel

#endif
