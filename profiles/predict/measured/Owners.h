//===- Owners.h - threads that own data on the target -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program that assigns objects to threads (zones of a grid to the
// least loaded thread) may assign them differently on another input. Sampled
// stalls of finished phases show which thread has the objects of which thread
// on the base input.
// Makes: a Problem in which the demands follow the objects to their threads.
// Not here: objects that several threads access; machines without samples.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_OWNERS_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_OWNERS_H

#include "problem/Request.h"
#include <map>
#include <set>

namespace evenkeel {

/// The threads that changed places, if any.
struct Owners {
  std::map<uint32_t, uint32_t> Now; // by thread on the base input
  std::set<uint32_t> Objects;       // own objects of any thread: instances

  bool operator==(const Owners &O) const {
    return Now == O.Now && (Now.empty() || Objects == O.Objects);
  }
};

/// The owners of objects by the samples in \p R.Measured.
Owners findOwners(const Problem &P, const PlanRequest &R);

/// Assigns the objects in \p P to their owners; counts them, once per phase, in
/// P.Methods.
void assignToOwners(Problem &P, const Owners &Who);

} // namespace evenkeel

#endif
