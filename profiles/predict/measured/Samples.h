//===- Samples.h - where tasks gather, from sampled stalls ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how often, and from which parts of an object, a task gathers is a
// property of the input (who neighbours whom in a mesh), so the base input's
// histogram says little about another input. Processors report the addresses
// of loads that wait for memory; from those of the phases that are over, a hook
// knows it for the objects of the phases to come that are gathered alike; and
// where data say what part a phase fetches, for the next of its kind.
// Makes: a Problem whose tasks wait for gathered data as long, and there.
// Leaves out: machines without such samples: there nothing changes, and task
// times have to do (Locality.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_SAMPLES_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_SAMPLES_H

#include "problem/Request.h"
#include <map>
#include <tuple>

namespace evenkeel {

/// Whether any phase that is over was sampled.
bool anySamples(const PlanRequest &R);

/// Numbers of instances by what samples name them by.
using InstanceNumbers = std::map<InstanceKey, uint32_t>;
InstanceNumbers instanceNumbers(const Problem &P);

/// Corrects \p P by the samples in \p R.Measured; counts the corrected
/// histograms in P.Methods.
void refineBySamples(Problem &P, const PlanRequest &R);

/// Which lines of another input's data are gathered, no value at a hook tells:
/// tasks that fetch more than a few of them, and of which no sample tells, are
/// not determined.
void openUnsampled(Problem &P);

} // namespace evenkeel

#endif
