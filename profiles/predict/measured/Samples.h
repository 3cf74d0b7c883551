//===- Samples.h - correct gathers by sampled stalls ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how often, and from which parts of an object, a task gathers is a
// property of the input (the neighbours in a mesh), so the base input's
// histogram says little about another input. Processors report the addresses of
// loads that wait for memory. From the samples of finished phases, a hook
// learns it for objects of later phases that are gathered alike; and, if data
// decides which part a phase fetches, for the next phase of its kind.
// Makes: a Problem in which gathers wait as long, and at the same places, as
// sampled.
// Not here: machines without such samples: there nothing changes, and only task
// times are used (Locality.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_SAMPLES_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_SAMPLES_H

#include "problem/Request.h"
#include <map>
#include <tuple>

namespace evenkeel {

/// Whether any phase that is over was sampled.
bool anySamples(const PlanRequest &R);

/// Numbers of instances by the key that samples use.
using InstanceNumbers = std::map<InstanceKey, uint32_t>;
InstanceNumbers instanceNumbers(const Problem &P);

/// Corrects \p P by the samples in \p R.Measured; counts the corrected
/// histograms in P.Methods.
void refineBySamples(Problem &P, const PlanRequest &R);

} // namespace evenkeel

#endif
