//===- Owners.h - which thread has whose data on the target -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program that deals out objects to its threads (zones of a grid to
// whoever has least to do) may deal them out otherwise on another input.
// Sampled stalls of the phases that are over tell which thread has what another
// one had on the base input.
// Makes: a Problem whose threads do what is done to the objects they have.
// Leaves out: objects that several threads access; machines without samples.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_MEASURED_OWNERS_H
#define EVENKEEL_PROFILES_PREDICT_MEASURED_OWNERS_H

#include "problem/Request.h"
#include <map>
#include <set>

namespace evenkeel {

/// Threads that changed places, none or several.
struct Owners {
  std::map<uint32_t, uint32_t> Now; // by thread on the base input
  std::set<uint32_t> Objects;       // what is some thread's own: instances

  bool operator==(const Owners &O) const {
    return Now == O.Now && (Now.empty() || Objects == O.Objects);
  }
};

/// Who has whose objects by the samples in \p R.Measured.
Owners findOwners(const Problem &P, const PlanRequest &R);

/// Gives the objects in \p P to those who have them; counts them, once for
/// each phase, in P.Methods.
void dealOut(Problem &P, const Owners &Who);

} // namespace evenkeel

#endif
